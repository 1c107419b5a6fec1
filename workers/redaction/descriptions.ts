// Removes text alternatives of content, /ActualText, /Alt and the like, from the structure tree (ISO 32000-2, 14.9).
// All text alternatives of a redacted page are removed: a writer can claim anything about which words they stand for.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'
import { type StructureNode, structureNodesMax, structureOf } from './structure.js'

export const descriptionKeys = ['ActualText', 'Alt', 'E', 'T'] as const
/** Keys of elements and of their attributes that hold text, and of files that belong to them. */
const elementKeys = [...descriptionKeys, 'Phoneme', 'AF']
const attributeKeys = ['P', 'Summary', 'Short', 'Desc']
/** Maximum number of attribute objects of one element. */
const attributesMax = 1_000

/** Cleans every element with content on the pages, and its ancestors. A tree above the limit is removed completely. */
export function dropStructureDescriptions(change: Change, pages: ReadonlySet<number>): void {
  const { catalog } = change.document
  const dropped = new Set<StructureNode>()
  let count = 0
  for (const node of structureOf(catalog)) {
    if (++count > structureNodesMax) {
      change.touch(catalog).delete('StructTreeRoot')
      return
    }
    if (node.page === undefined || !pages.has(node.page)) continue
    for (let above: StructureNode | undefined = node; above && !dropped.has(above); above = above.above)
      dropped.add(above)
  }
  for (const { element } of dropped) {
    drop(change, element, elementKeys)
    const attributes = entry(element, 'A')
    for (const one of isArray(attributes) ? elementsOf(attributes, attributesMax) : [attributes]) {
      drop(change, one, attributeKeys)
    }
  }
}

function drop(change: Change, dictionary: PDFObject, keys: readonly string[]): void {
  if (!isDictionary(dictionary) || !keys.some((key) => !isMissing(entry(dictionary, key)))) return
  if (objectNumberOf(dictionary) !== undefined) change.touch(dictionary)
  for (const key of keys) dictionary.delete(key)
}
