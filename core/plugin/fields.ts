// Looking up what a field table says about one leaf.
import { type LeafPath, leafKeys } from '../value/tree.js'
import type { Field, FieldTable } from './handler.js'

const nothingSaid: Field = {}

/** The entry for this leaf: patterns hold for everything below them, the longest that matches wins. */
export function fieldAt(fields: FieldTable, path: LeafPath): Field {
  const keys = leafKeys(path)
  let best: Field = nothingSaid
  let bestLength = 0
  for (const [pattern, field] of Object.entries(fields)) {
    const patternKeys = leafKeys(pattern)
    if (patternKeys.length <= bestLength || patternKeys.length > keys.length) continue
    if (patternKeys.every((key, index) => key === '*' || key === keys[index])) {
      best = field
      bestLength = patternKeys.length
    }
  }
  return best
}

/** What nobody declared of it is someone else's. */
export function isShared({ owner = 'all' }: Field): boolean {
  return owner !== 'all'
}
