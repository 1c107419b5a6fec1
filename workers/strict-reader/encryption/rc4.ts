// RC4, which OpenSSL 3 no longer offers by default.

export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let i = 0, j = 0; i < 256; i++) {
    const value = state[i] ?? 0
    j = (j + value + (key[i % key.length] ?? 0)) & 0xff
    state[i] = state[j] ?? 0
    state[j] = value
  }
  const result = new Uint8Array(bytes.length)
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 0xff
    const value = state[i] ?? 0
    j = (j + value) & 0xff
    const other = state[j] ?? 0
    state[i] = other
    state[j] = value
    result[at] = (bytes[at] ?? 0) ^ (state[(value + other) & 0xff] ?? 0)
  }
  return result
}
