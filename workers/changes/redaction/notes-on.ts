// What programs noted about an object beside what it shows: XMP packets and their own data (ISO 32000-2, 14.3.2, 14.5).
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../../pdf/reading-limits.js'
import { streamBytes } from '../../pdf/streams.js'
import {
  elementsOf,
  entriesOf,
  entry,
  isArray,
  isDictionary,
  isStream,
  objectNumberOf,
  textOf,
} from '../../pdf/values.js'
import { withoutReferences } from '../../pdf/xml.js'
import type { Texts } from './texts-elsewhere.js'

/** Drawings of one page that are looked at, and entries of one dictionary. */
const drawingsMax = 1_000
const entriesMax = 1_000
/** Dictionaries and arrays in what one program noted, and how deep. */
const nodesMax = 1_000
const depthMax = 16

export function* notesOn(object: PDFObject): Texts {
  const packet = streamBytes(entry(object, 'Metadata'), readingLimits.xmpBytesMax)
  if (packet !== undefined) yield xmlText(packet)
  const pieces = entry(object, 'PieceInfo')
  if (isDictionary(pieces)) yield* textsIn(pieces)
}

/** On a page, and on what it draws: pictures, and forms within each other. */
export function* notesOnPage(page: PDFObject): Texts {
  yield* notesOn(page)
  const seen = new Set<number>()
  const waiting = [page.getInheritable('Resources')]
  for (let resources = waiting.pop(); resources !== undefined; resources = waiting.pop()) {
    for (const [, drawing] of entriesOf(entry(resources, 'XObject'), entriesMax)) {
      const number = objectNumberOf(drawing)
      if (number === undefined || seen.has(number)) continue
      if (seen.add(number).size > drawingsMax) return
      yield* notesOn(drawing)
      waiting.push(entry(drawing, 'Resources'))
    }
  }
}

/** Every text of a tree, texts of its streams included. */
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
      if (bytes !== undefined) yield xmlText(bytes)
    }
    if (depth >= depthMax) continue
    const inner = isArray(object) ? [...elementsOf(object, entriesMax)] : isDictionary(object) ? valuesOf(object) : []
    for (const one of inner) waiting.push({ object: one, depth: depth + 1 })
  }
}

const valuesOf = (object: PDFObject): readonly PDFObject[] =>
  [...entriesOf(object, entriesMax)].map(([, value]) => value)

/** UTF-16 says which of the two it is. */
function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
  return withoutReferences(new TextDecoder(encoding).decode(bytes))
}
