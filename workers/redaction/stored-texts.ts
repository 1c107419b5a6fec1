// Texts that programs stored with an object besides its content: XMP packets and private data (ISO 32000-2, 14.3.2,
// 14.5).
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../objects/reading-limits.js'
import { streamBytes } from '../objects/streams.js'
import {
  elementsOf,
  entriesOf,
  entry,
  isArray,
  isDictionary,
  isStream,
  objectNumberOf,
  textOf,
} from '../objects/values.js'
import { withoutReferences } from '../text/xml.js'

export type Texts = Iterable<string | undefined>

/** Maximum number of inspected drawings of one page, and of entries of one dictionary. */
const drawingsMax = 1_000
const entriesMax = 1_000
/** Maximum number and depth of dictionaries and arrays in the private data of one program. */
const nodesMax = 1_000
const depthMax = 16

export function* textsStoredWith(object: PDFObject): Texts {
  const packet = streamBytes(entry(object, 'Metadata'), readingLimits.xmpBytesMax)
  if (packet !== undefined) yield* xmlTexts(packet)
  const pieces = entry(object, 'PieceInfo')
  if (isDictionary(pieces)) yield* textsIn(pieces)
}

/** Yields texts stored with a page and with what it draws: pictures, and forms at every depth. */
export function* textsStoredWithPage(page: PDFObject): Texts {
  yield* textsStoredWith(page)
  const seen = new Set<number>()
  const waiting = [page.getInheritable('Resources')]
  for (let resources = waiting.pop(); resources !== undefined; resources = waiting.pop()) {
    for (const [, drawing] of entriesOf(entry(resources, 'XObject'), entriesMax)) {
      const number = objectNumberOf(drawing)
      if (number === undefined || seen.has(number)) continue
      seen.add(number)
      if (seen.size > drawingsMax) return
      yield* textsStoredWith(drawing)
      waiting.push(entry(drawing, 'Resources'))
    }
  }
}

/** Yields every text of an object tree, texts of its streams included. */
function* textsIn(root: PDFObject): Texts {
  const seen = new Set<number>()
  const waiting = [{ object: root, depth: 0 }]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { object, depth } = next
    const number = objectNumberOf(object)
    if ((number !== undefined && seen.has(number)) || ++count > nodesMax) continue
    if (number !== undefined) seen.add(number)
    yield textOf(object)
    if (isStream(object)) {
      const bytes = streamBytes(object, readingLimits.xmpBytesMax)
      if (bytes !== undefined) yield* xmlTexts(bytes)
    }
    if (depth >= depthMax) continue
    const inner = isArray(object) ? [...elementsOf(object, entriesMax)] : isDictionary(object) ? valuesOf(object) : []
    for (const one of inner) waiting.push({ object: one, depth: depth + 1 })
  }
}

const valuesOf = (object: PDFObject): readonly PDFObject[] =>
  [...entriesOf(object, entriesMax)].map(([, value]) => value)

const dateAndTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?`
const zone = String.raw`(?:Z|[+-]\d\d:?\d\d)?`
/** Date of a PDF (ISO 32000-2, 7.9.4). */
const ofPdf = /^d:(\d{4,14})(?:z|[+-]|$)/i
/** Date with a time of XMP (ISO 16684-1, 8.2.1.2). */
const ofXmp = new RegExp(`^(${dateAndTime})${zone}$`, 'i')
/** Such a date as the whole value of an element or attribute. */
const valuesOfXmp = new RegExp(`(?<=[>"'])\\s*${dateAndTime}${zone}\\s*(?=[<"'])`, 'gi')

/** Returns the date that a program wrote as the whole text, without its zone; undefined for other texts. */
export const dateIn = (text: string): string | undefined => (ofPdf.exec(text) ?? ofXmp.exec(text))?.[1]

/** Yields the text of XMP without dates, and each of its dates. */
function* xmlTexts(bytes: Uint8Array): Texts {
  const text = xmlText(bytes)
  yield text.replace(valuesOfXmp, ' ')
  for (const [date] of text.matchAll(valuesOfXmp)) yield date
}

/** Decodes XMP; for UTF-16, the first bytes determine the byte order. */
function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
  return withoutReferences(new TextDecoder(encoding).decode(bytes))
}
