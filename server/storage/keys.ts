// Order-preserving encoding of tuples as keys. Every part has a type tag and a terminator, so that a value chosen by a
// client cannot extend into the next part or into the prefix of another row.

/** Key encoded by this module; keys are ordered bytewise. */
export type Key = Uint8Array

/** Part of a key. Text sorts by code point, numbers by size; `descending(n)` sorts the largest first. */
export type KeyPart = string | number | Descending

export class Descending {
  constructor(readonly value: number) {}
}

export const descending = (value: number): Descending => new Descending(value)

/** Range of keys, for example of all keys with a prefix. */
export interface KeyRange {
  /** First key of the range. */
  readonly from: Key
  /** Key after the range. */
  readonly to: Key
}

/** PostgreSQL indexes at most about 2700 bytes, so keys within this limit are portable. */
export const keyBytesMax = 2048

const tags = { text: 1, number: 2, descending: 3 } as const
const numberBytes = 8
/** Terminator of a text; a zero byte inside a text is followed by `escaped`, which is above every tag. */
const end = 0x00
const escaped = 0xff
const zero = '\0'

/**
 * Throws a RangeError for ill-formed text, for a number that is not an unsigned safe integer, and for a key that is
 * too long.
 */
export function encodeKey(parts: readonly KeyPart[]): Key {
  const bytes = parts.reduce((sum: number, part) => sum + bytesOf(part), 0)
  if (bytes > keyBytesMax) throw new RangeError(`A key of ${bytes} bytes is above ${keyBytesMax}`)
  const key = new Uint8Array(bytes)
  const target = Buffer.from(key.buffer)
  let at = 0
  for (const part of parts) at = typeof part === 'string' ? putText(target, at, part) : putNumber(target, at, part)
  return key
}

/** Returns the range of all keys that begin with these parts, including the key of exactly these parts. */
export function prefixRange(parts: readonly KeyPart[]): KeyRange {
  return subtree(encodeKey(parts))
}

/** Returns the range of the key and of all keys that begin with its parts. */
export function subtree(from: Key): KeyRange {
  const to = new Uint8Array(from.length + 1)
  to.set(from)
  to[from.length] = escaped
  return { from, to }
}

/** Returns the parts of a key; undefined if it was not made by `encodeKey`. */
export function decodeKey(key: Key): readonly KeyPart[] | undefined {
  const parts: KeyPart[] = []
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  for (let at = 0; at < bytes.length; ) {
    const read = bytes[at] === tags.text ? decodeText(bytes, at + 1) : decodeNumber(bytes, at)
    if (!read) return undefined
    parts.push(read.part)
    at = read.next
  }
  return parts
}

function bytesOf(part: KeyPart): number {
  if (typeof part !== 'string') return 1 + numberBytes
  const zeros = part.includes(zero) ? part.split(zero).length - 1 : 0
  return 1 + Buffer.byteLength(part, 'utf8') + zeros + 1
}

/** Writes a text, and returns the index at which the next part begins. */
function putText(target: Buffer, start: number, text: string): number {
  // Two different texts with lone surrogates would be encoded as the same key.
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('A text with a lone surrogate cannot be part of a key')
  let at = target.writeUInt8(tags.text, start)
  for (const [index, piece] of text.split(zero).entries()) {
    if (index > 0) at = target.writeUInt8(escaped, target.writeUInt8(end, at))
    at += target.write(piece, at, 'utf8')
  }
  return target.writeUInt8(end, at)
}

function putNumber(target: Buffer, start: number, part: number | Descending): number {
  const isDescending = part instanceof Descending
  const value = isDescending ? Number.MAX_SAFE_INTEGER - checked(part.value) : checked(part)
  const at = target.writeUInt8(isDescending ? tags.descending : tags.number, start)
  return target.writeBigUInt64BE(BigInt(value), at)
}

function checked(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new RangeError(`${value} is not an unsigned integer that a key can hold`)
}

interface Read {
  readonly part: KeyPart
  readonly next: number
}

function decodeText(bytes: Buffer, start: number): Read | undefined {
  const text: number[] = []
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? end
    if (byte !== end) text.push(byte)
    else if (bytes[at + 1] === escaped) {
      text.push(end)
      at += 1
    } else {
      const decoded = Buffer.from(text).toString('utf8')
      return Buffer.from(decoded, 'utf8').equals(Buffer.from(text)) ? { part: decoded, next: at + 1 } : undefined
    }
  }
  return undefined
}

function decodeNumber(bytes: Buffer, start: number): Read | undefined {
  const next = start + 1 + numberBytes
  const tag = bytes[start]
  if (next > bytes.length || (tag !== tags.number && tag !== tags.descending)) return undefined
  const value = bytes.readBigUInt64BE(start + 1)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  const part = tag === tags.number ? Number(value) : descending(Number.MAX_SAFE_INTEGER - Number(value))
  return { part, next }
}
