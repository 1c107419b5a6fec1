// Writes the two entries of a signature dictionary that depend on its place in the file: `/ByteRange`, padded to a fixed
// width, and `/Contents`, which is a hole until the CMS is known (ISO 32000-2, 12.8.1).

/**
 * Two pairs of offset and length, which include everything but the hexadecimal string of `/Contents` with its
 * delimiters.
 */
export type ByteRange = readonly [number, number, number, number]

/** Number of digits of an offset; files are smaller than 10 GB. */
const offsetDigits = 10
const rangeStart = '/ByteRange['
const contentsStart = '/Contents'

/** Length of the padded range between its brackets. */
const rangeLength = '0'.length + 3 * (1 + offsetDigits)

/** Returns the serialised entries with an empty range and a hole for a CMS of `contentsSize` bytes. */
export function emptyEntries(contentsSize: number): Buffer {
  const head = `${rangeStart}${' '.repeat(rangeLength)}]${contentsStart}`
  return Buffer.concat([Buffer.from(head, 'latin1'), hexString(Buffer.alloc(0), contentsSize)])
}

/** Offset of the range, relative to the entries. */
export const rangeOffset = rangeStart.length
export const holeOffset = rangeStart.length + rangeLength + ']'.length + contentsStart.length

/** Returns the length of the hole: two digits a byte, and the delimiters. */
export const holeLength = (contentsSize: number): number => 2 * contentsSize + '<>'.length

/** Returns the byte range. `holeAt`: offset of the hole in the file. */
export function byteRangeOf(holeAt: number, contentsSize: number, sizeBytes: number): ByteRange {
  const behind = holeAt + holeLength(contentsSize)
  return [0, holeAt, behind, sizeBytes - behind]
}

/** Returns the numbers as they stand between the brackets. */
export function paddedRange(range: ByteRange): Buffer {
  const text = range.join(' ')
  if (text.length > rangeLength) throw new Error('The file is too long to be signed')
  return Buffer.from(text.padEnd(rangeLength), 'latin1')
}

/** Returns the hexadecimal string of the CMS, filled up with zeros. */
export function hexString(cms: Uint8Array, contentsSize: number): Buffer {
  const digits = Buffer.from(cms)
    .toString('hex')
    .padEnd(2 * contentsSize, '0')
  return Buffer.from(`<${digits}>`, 'latin1')
}
