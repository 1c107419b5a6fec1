// Reads name trees and number trees (ISO 32000-2, 7.9.6 and 7.9.7): sorted maps spread over nodes, which in a broken
// file may be cyclic, repeated or endless.
import type { PDFObject } from 'mupdf'
import { readingLimits } from './reading-limits.js'
import { elementsOf, entry, integerOf, isArray, isText, objectNumberOf, textOf } from './values.js'

export const nameTree = (root: PDFObject): Generator<readonly [string, PDFObject]> => leaves(root, 'Names', textOf)
/** Yields entries with the keys as the file has them, for rewriting the tree. */
export const nameTreeItems = (root: PDFObject): Generator<readonly [PDFObject, PDFObject]> =>
  leaves(root, 'Names', (key) => (isText(key) ? key : undefined))
export const numberTree = (root: PDFObject): Generator<readonly [number, PDFObject]> => leaves(root, 'Nums', integerOf)

interface Node {
  readonly object: PDFObject
  readonly depth: number
}

function* leaves<Key>(
  root: PDFObject,
  list: 'Names' | 'Nums',
  keyOf: (object: PDFObject) => Key | undefined,
): Generator<readonly [Key, PDFObject]> {
  const { treeNodesMax, treeDepthMax, treeEntriesMax } = readingLimits
  const seen = new Set<number>()
  const waiting: Node[] = [{ object: root, depth: 0 }]
  let entries = 0
  for (let nodes = 0; nodes < treeNodesMax; nodes++) {
    const node = waiting.pop()
    if (node === undefined) return
    const number = objectNumberOf(node.object)
    if (number !== undefined && seen.has(number)) continue
    if (number !== undefined) seen.add(number)
    const pairs = entry(node.object, list)
    const length = isArray(pairs) ? pairs.length : 0
    for (let position = 0; position + 1 < length; position += 2) {
      if (++entries > treeEntriesMax) return
      const key = keyOf(entry(pairs, position))
      if (key !== undefined) yield [key, entry(pairs, position + 1)]
    }
    if (node.depth >= treeDepthMax) continue
    const kids = [...elementsOf(entry(node.object, 'Kids'), treeNodesMax)]
    for (const object of kids.reverse()) waiting.push({ object, depth: node.depth + 1 })
    if (waiting.length > 2 * treeNodesMax) return
  }
}
