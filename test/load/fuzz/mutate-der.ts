// Mutations of DER by its structure: elements are replaced, repeated, moved, nested and given other tags and lengths.
import type { Draw } from '../draw.js'
import { mutateBytes } from './mutate-bytes.js'

interface Element {
  readonly tag: number
  readonly content: Buffer | readonly Element[]
}

/** Parses elements with tags below 31; undefined if the bytes are something else. */
function parsed(bytes: Buffer): readonly Element[] | undefined {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first] = [bytes[at], bytes[at + 1]]
    if ((tag & 31) === 31 || first === undefined || first === 0x80) return undefined
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f
    if (sizeBytes > 4 || at + 2 + sizeBytes > bytes.length) return undefined
    const length = sizeBytes === 0 ? first : bytes.readUIntBE(at + 2, sizeBytes)
    const start = at + 2 + sizeBytes
    if (start + length > bytes.length) return undefined
    const content = bytes.subarray(start, start + length)
    elements.push({ tag, content: (tag & 0x20 && parsed(content)) || content })
    at = start + length
  }
  return elements
}

function written({ tag, content }: Element): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.concat(content.map(written))
  return Buffer.concat([Buffer.from([tag]), lengthOf(bytes.length), bytes])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(2 * Math.ceil(digits.length / 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const tags = [
  1, 2, 3, 4, 5, 6, 10, 12, 19, 22, 23, 24, 30, 48, 49, 0x80, 0x81, 0xa0, 0xa1, 0xa2, 0, 0x24, 0x1f,
] as const

/** Returns the bytes with one element changed; bytes that are no DER are changed as such. */
export function mutateDer(bytes: Buffer, draw: Draw): Buffer {
  const elements = parsed(bytes)
  if (elements === undefined || elements.length === 0 || draw.happens(0.1)) return mutateBytes(bytes, draw)
  return Buffer.concat(changed(elements, draw).map(written))
}

function changed(elements: readonly Element[], draw: Draw): readonly Element[] {
  const at = draw.below(elements.length)
  const element = elements[at]
  if (element === undefined) return elements
  const { tag, content } = element
  if (!Buffer.isBuffer(content) && content.length > 0 && draw.happens(0.85))
    return elements.with(at, { tag, content: changed(content, draw) })
  const ways: readonly (() => readonly Element[])[] = [
    () => elements.toSpliced(at, 1),
    () => elements.toSpliced(at, 0, element),
    () => elements.with(at, draw.one(elements)).with(draw.below(elements.length), element),
    () => elements.with(at, { tag: draw.one(tags), content }),
    () => elements.with(at, { tag, content: Buffer.alloc(0) }),
    () => elements.with(at, { tag, content: draw.bytes(draw.between(1, 40)) }),
    () => elements.with(at, nested(element, draw.between(1, 300))),
    () => elements.with(at, { tag, content: mutateBytes(written(element).subarray(2), draw) }),
    () => elements.with(at, { tag, content: Array.from({ length: draw.between(2, 500) }, () => element) }),
  ]
  return draw.one(ways)()
}

const nested = (element: Element, depth: number): Element =>
  depth === 0 ? element : { tag: 48, content: [nested(element, depth - 1)] }
