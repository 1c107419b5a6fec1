// Whether two images are the same bytes.

export function sameImage(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && Buffer.compare(one, other) === 0
}
