// Encodes and decodes headers of tar archives (POSIX ustar) for regular files. tar-stream would also read links,
// devices and extended headers, which a restore would have to refuse one by one.

export interface TarEntry {
  /** Path with slashes: `blobs/…/upload.pdf`. */
  readonly path: string
  readonly sizeBytes: number
}

export const blockBytes = 512
/** End of an archive: two blocks of zeros. */
export const endOfArchive = new Uint8Array(2 * blockBytes)

const fields = {
  name: { at: 0, length: 100 },
  mode: { at: 100, length: 8 },
  size: { at: 124, length: 12 },
  checksum: { at: 148, length: 8 },
  type: { at: 156, length: 1 },
  magic: { at: 257, length: 8 },
  prefix: { at: 345, length: 155 },
} as const
type Field = keyof typeof fields

const regularFile = '0'
const magic = 'ustar\u000000'
/** Maximum size that fits into octal digits; larger ones are written as a binary number of 11 bytes after a mark. */
const octalMax = 0o77777777777
const binaryMark = 0x80

/** Returns the number of zeros that fill the last block of a file. */
export const paddingOf = (sizeBytes: number): number => (blockBytes - (sizeBytes % blockBytes)) % blockBytes

export function encodeHeader({ path, sizeBytes }: TarEntry): Uint8Array {
  const block = Buffer.alloc(blockBytes)
  const { name, prefix } = split(path)
  write(block, 'name', name)
  write(block, 'prefix', prefix)
  write(block, 'mode', '0000600\u0000')
  write(block, 'type', regularFile)
  write(block, 'magic', magic)
  writeSize(block, sizeBytes)
  write(block, 'checksum', `${checksumOf(block).toString(8).padStart(6, '0')}\u0000 `)
  return block
}

/**
 * Decodes a header; undefined for a block of zeros, which ends the archive. Throws a RangeError for anything but a
 * regular file as `encodeHeader` writes it.
 */
export function decodeHeader(bytes: Uint8Array): TarEntry | undefined {
  const block = Buffer.from(bytes)
  if (block.every((byte) => byte === 0)) return undefined
  const checksum = Number.parseInt(read(block, 'checksum'), 8)
  if (checksum !== checksumOf(block)) throw new RangeError('A header of the archive is damaged')
  if (read(block, 'type') !== regularFile) throw new RangeError('The archive holds something else than plain files')
  const prefix = read(block, 'prefix')
  const name = read(block, 'name')
  return { path: prefix === '' ? name : `${prefix}/${name}`, sizeBytes: readSize(block) }
}

function split(path: string): { readonly name: string; readonly prefix: string } {
  const at = path.lastIndexOf('/')
  const parts = { name: path.slice(at + 1), prefix: path.slice(0, Math.max(0, at)) }
  const fits =
    Buffer.byteLength(parts.name) <= fields.name.length && Buffer.byteLength(parts.prefix) <= fields.prefix.length
  if (fits) return parts
  throw new RangeError(`${path} is too long for an archive`)
}

function write(block: Buffer, field: Field, text: string): void {
  block.write(text, fields[field].at, fields[field].length, 'utf8')
}

function read(block: Buffer, field: Field): string {
  const { at, length } = fields[field]
  const text = block.subarray(at, at + length).toString('utf8')
  const end = text.indexOf('\u0000')
  return end < 0 ? text : text.slice(0, end)
}

function writeSize(block: Buffer, sizeBytes: number): void {
  const { at, length } = fields.size
  if (sizeBytes <= octalMax) write(block, 'size', `${sizeBytes.toString(8).padStart(length - 1, '0')}\u0000`)
  else {
    block.writeUInt8(binaryMark, at)
    block.writeBigUInt64BE(BigInt(sizeBytes), at + length - 8)
  }
}

function readSize(block: Buffer): number {
  const { at, length } = fields.size
  const size =
    block[at] === binaryMark ? Number(block.readBigUInt64BE(at + length - 8)) : Number.parseInt(read(block, 'size'), 8)
  if (Number.isSafeInteger(size)) return size
  throw new RangeError('A header of the archive has no size')
}

/** Computes the checksum of a block, with blanks in place of the checksum field. */
function checksumOf(block: Buffer): number {
  const { at, length } = fields.checksum
  return block.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 0x20 : byte), 0)
}
