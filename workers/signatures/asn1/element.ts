// Elements of ASN.1 in BER or DER. They are decoded on demand, because the input is untrusted: only members that are
// read cost time, and nesting is followed only as deep as the expected structure.

/** Error of bytes that are not the expected structure. */
export class Asn1Error extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Asn1Error'
  }
}

export interface Element {
  readonly source: Uint8Array
  readonly tagClass: TagClass
  readonly tag: number
  readonly isConstructed: boolean
  readonly isIndefinite: boolean
  /** Offset in `source`. */
  readonly start: number
  readonly contentStart: number
  readonly contentEnd: number
  readonly end: number
}

export type TagClass = 'universal' | 'application' | 'context' | 'private'

export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  enumerated: 10,
  utf8String: 12,
  sequence: 16,
  set: 17,
  utcTime: 23,
  generalizedTime: 24,
} as const

export const depthMax = 32
const classes = ['universal', 'application', 'context', 'private'] as const

/** Reads the element at the beginning of the bytes; others may follow it. */
export const firstElement = (bytes: Uint8Array): Element => elementAt(bytes, 0, bytes.length)

/** Reads the element that the bytes consist of. */
export function onlyElement(bytes: Uint8Array): Element {
  const element = firstElement(bytes)
  if (element.end !== bytes.length) throw new Asn1Error('bytes follow the element')
  return element
}

export function childrenOf(parent: Element): readonly Element[] {
  return [...childrenInTurn(parent)]
}

/** Yields the members of a list that may be too long to be in memory at once. */
export function* childrenInTurn(parent: Element): Generator<Element> {
  if (!parent.isConstructed) throw new Asn1Error('a primitive element has no members')
  for (let offset = parent.contentStart; offset < parent.contentEnd; ) {
    const child = elementAt(parent.source, offset, parent.contentEnd)
    yield child
    offset = child.end
  }
}

export const isUniversal = (element: Element | undefined, tag: number): element is Element =>
  element?.tagClass === 'universal' && element.tag === tag

export const isContext = (element: Element | undefined, tag: number): element is Element =>
  element?.tagClass === 'context' && element.tag === tag

/** Returns the whole element as encoded. */
export const encodingOf = ({ source, start, end }: Element): Uint8Array => source.subarray(start, end)

export const contentOf = ({ source, contentStart, contentEnd }: Element): Uint8Array =>
  source.subarray(contentStart, contentEnd)

function elementAt(source: Uint8Array, start: number, limit: number): Element {
  const { tagClass, tag, isConstructed, contentStart, length } = headerAt(source, start, limit)
  const isIndefinite = length === undefined
  const contentEnd = isIndefinite ? endOfIndefinite(source, contentStart, limit) : contentStart + length
  const end = isIndefinite ? contentEnd + 2 : contentEnd
  return { source, tagClass, tag, isConstructed, isIndefinite, start, contentStart, contentEnd, end }
}

/** Reads the identifier and length; `length` is undefined for the indefinite form. */
function headerAt(source: Uint8Array, start: number, limit: number) {
  const first = byteAt(source, start, limit)
  const tag = first & 31
  if (tag === 31) throw new Asn1Error('tag number above 30')
  const isConstructed = (first & 32) !== 0
  const tagClass = classes[first >> 6] ?? 'universal'
  const lengthByte = byteAt(source, start + 1, limit)
  const contentStart = start + 2
  if (lengthByte < 128) return measured({ tagClass, tag, isConstructed, contentStart, length: lengthByte }, limit)
  if (lengthByte === 128) {
    if (!isConstructed) throw new Asn1Error('indefinite length of a primitive element')
    return { tagClass, tag, isConstructed, contentStart, length: undefined }
  }
  const count = lengthByte & 127
  if (count > 4) throw new Asn1Error('length of more than four bytes')
  let length = 0
  for (let index = 0; index < count; index += 1) length = length * 256 + byteAt(source, contentStart + index, limit)
  return measured({ tagClass, tag, isConstructed, contentStart: contentStart + count, length }, limit)
}

/** Returns the header, or throws if the content exceeds the limit. */
function measured<Header extends { readonly contentStart: number; readonly length: number }>(
  header: Header,
  limit: number,
): Header {
  if (header.length > limit - header.contentStart) throw new Asn1Error('an element is longer than what contains it')
  return header
}

/** Returns the offset of the end-of-contents bytes. */
function endOfIndefinite(source: Uint8Array, contentStart: number, limit: number): number {
  let depth = 1
  let offset = contentStart
  while (offset < limit) {
    if (source[offset] === 0 && source[offset + 1] === 0 && offset + 2 <= limit) {
      depth -= 1
      if (depth === 0) return offset
      offset += 2
      continue
    }
    const header = headerAt(source, offset, limit)
    if (header.length === undefined) depth += 1
    if (depth > depthMax) throw new Asn1Error('elements are nested too deeply')
    offset = header.contentStart + (header.length ?? 0)
  }
  throw new Asn1Error('an element of indefinite length does not end')
}

function byteAt(source: Uint8Array, offset: number, limit: number): number {
  const byte = offset < limit ? source[offset] : undefined
  if (byte === undefined) throw new Asn1Error('an element ends too early')
  return byte
}
