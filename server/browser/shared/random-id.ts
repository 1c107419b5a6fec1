// Random names. `crypto.randomUUID` exists only in pages that came over TLS or from this machine.

/** Returns 32 characters. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
