// Iterates over the structure tree (ISO 32000-2, 14.7.2): every element with its parent and its page.
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, objectNumberOf } from '../objects/values.js'

export interface StructureNode {
  readonly element: PDFObject
  readonly above: StructureNode | undefined
  /** Page of the element, if the file states one. */
  readonly page: number | undefined
}

/** Maximum number of elements and content references: some thousand pages of text. */
export const structureNodesMax = 300_000

/** Yields nodes, content references included; ends early after `structureNodesMax` nodes. */
export function* structureOf(catalog: PDFObject): Generator<StructureNode> {
  const seen = new Set<number>()
  const waiting: StructureNode[] = [{ element: entry(catalog, 'StructTreeRoot'), above: undefined, page: undefined }]
  let count = 0
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { element } = node
    const number = objectNumberOf(element)
    if (!isDictionary(element) || (number !== undefined && seen.has(number))) continue
    if (number !== undefined) seen.add(number)
    const page = objectNumberOf(entry(element, 'Pg')) ?? node.page
    const here = { ...node, page }
    yield here
    if (++count > structureNodesMax) return
    const kids = entry(element, 'K')
    for (const kid of isArray(kids) ? elementsOf(kids, readingLimits.fieldNodesMax) : [kids]) {
      if (isDictionary(kid)) waiting.push({ element: kid, above: here, page })
    }
  }
}
