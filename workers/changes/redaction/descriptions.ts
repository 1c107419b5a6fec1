// What a file says of its content beside showing it: /ActualText, /Alt and /E, of marked content and of the structure
// (ISO 32000-2, 14.9). Of a redacted page it goes: which words it stands for is only what the writer claimed.
import type { PDFObject } from 'mupdf'
import { limits } from '../../limits.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entriesOf, entry, isArray, isDictionary, isStream, objectNumberOf } from '../../pdf/values.js'
import type { Change } from '../change.js'
import { withoutDescriptions } from './marked-content.js'

export const descriptionKeys = ['ActualText', 'Alt', 'E', 'T'] as const
const entriesMax = 10_000

/** Of the streams of a page the engine has written anew, and of everything they draw. */
export function dropMarkedDescriptions(change: Change, page: PDFObject): void {
  const contents = entry(page, 'Contents')
  const seen = new Set<number>()
  for (const stream of isArray(contents) ? elementsOf(contents, entriesMax) : [contents]) rewrite(change, stream, seen)
  dropInResources(change, page.getInheritable('Resources'), seen, 0)
}

function dropInResources(change: Change, resources: PDFObject, seen: Set<number>, depth: number): void {
  if (depth > limits.depthMax) return
  for (const [, properties] of entriesOf(entry(resources, 'Properties'), entriesMax)) drop(change, properties)
  for (const [, drawing] of entriesOf(entry(resources, 'XObject'), entriesMax)) {
    const number = objectNumberOf(drawing) ?? 0
    // Forms the engine did not have to write anew are other pages' too, and nothing of them is under a mark.
    if (!isStream(drawing) || seen.has(number) || !change.isNew(number)) continue
    rewrite(change, drawing, seen)
    dropInResources(change, entry(drawing, 'Resources'), seen, depth + 1)
  }
}

function rewrite(change: Change, stream: PDFObject, seen: Set<number>): void {
  const number = objectNumberOf(stream)
  if (number === undefined || !isStream(stream) || seen.has(number) || !change.isNew(number)) return
  seen.add(number)
  if (isDictionary(entry(stream, 'Subtype')) || entry(stream, 'Subtype').toString() === '/Image') return
  const buffer = stream.readStream()
  try {
    const before = Buffer.from(buffer.asUint8Array()).toString('latin1')
    const after = withoutDescriptions(before)
    if (after !== before) stream.writeStream(Buffer.from(after, 'latin1'))
  } finally {
    buffer.destroy()
  }
}

function drop(change: Change, dictionary: PDFObject): void {
  if (!descriptionKeys.some((key) => !entry(dictionary, key).isNull())) return
  if (objectNumberOf(dictionary) !== undefined) change.touch(dictionary)
  for (const key of descriptionKeys) dictionary.delete(key)
}

/** Every element of the structure tree, with the page it belongs to, as far as the file says. */
export function* structureElements(catalog: PDFObject): Generator<{ element: PDFObject; page: number | undefined }> {
  const seen = new Set<number>()
  const waiting: { element: PDFObject; page: number | undefined }[] = [
    { element: entry(catalog, 'StructTreeRoot'), page: undefined },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const number = objectNumberOf(next.element)
    if (!isDictionary(next.element) || (number !== undefined && seen.has(number))) continue
    if (number !== undefined) seen.add(number)
    if (seen.size > limits.strayObjectsMax) return
    const page = objectNumberOf(entry(next.element, 'Pg')) ?? next.page
    yield { element: next.element, page }
    const kids = entry(next.element, 'K')
    for (const element of isArray(kids) ? elementsOf(kids, readingLimits.fieldNodesMax) : [kids]) {
      if (isDictionary(element)) waiting.push({ element, page })
    }
  }
}

/** Pages of the elements below speak for an element that names none. */
export function dropStructureDescriptions(change: Change, pages: ReadonlySet<number>): void {
  const onPages = new Set<number>()
  const elements = [...structureElements(change.document.catalog)]
  for (const { element, page } of elements) {
    if (page === undefined || !pages.has(page)) continue
    for (let above = element, depth = 0; isDictionary(above) && depth < limits.depthMax; depth++) {
      const number = objectNumberOf(above)
      if (number !== undefined) onPages.add(number)
      above = entry(above, 'P')
    }
  }
  for (const { element } of elements) if (onPages.has(objectNumberOf(element) ?? 0)) drop(change, element)
}
