// Arrays of byte strings in the binary form of PostgreSQL, which is sent as one parameter: half the bytes of the text
// form, and no escaping.

/** Object id of the type `bytea`. */
const byteaType = 17
const headerBytes = 20
const lengthBytes = 4
const nullLength = -1

/** Encodes a one-dimensional `bytea[]`; undefined is null. */
export function byteArray(items: readonly (Uint8Array | undefined)[]): Buffer {
  const sizeBytes = items.reduce((sum, item) => sum + lengthBytes + (item?.length ?? 0), headerBytes)
  const bytes = Buffer.allocUnsafe(sizeBytes)
  let at = bytes.writeInt32BE(items.length === 0 ? 0 : 1)
  at = bytes.writeInt32BE(items.includes(undefined) ? 1 : 0, at)
  at = bytes.writeInt32BE(byteaType, at)
  if (items.length === 0) return bytes.subarray(0, at)
  at = bytes.writeInt32BE(items.length, at)
  at = bytes.writeInt32BE(1, at) // Index of the first item.
  for (const item of items) {
    at = bytes.writeInt32BE(item?.length ?? nullLength, at)
    if (item === undefined) continue
    bytes.set(item, at)
    at += item.length
  }
  return bytes
}

/** Returns the bytes as a buffer without a copy, because the driver encodes only buffers as bytes. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
