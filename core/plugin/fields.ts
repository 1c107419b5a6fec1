// Finds the entry of a field table for one leaf.
import { type LeafPath, leafKeys } from '../value/tree.js'
import type { Field, FieldTable } from './handler.js'

const noRules: Field = {}

/** Returns the entry for a leaf: patterns also match everything below them, and the longest match is used. */
export function fieldAt(fields: FieldTable, path: LeafPath): Field {
  let best: Field = noRules
  let bestLength = 0
  for (const pattern in fields) {
    const field = fields[pattern]
    if (!field || !holdsFor(pattern, path)) continue
    const { length } = leafKeys(pattern)
    if (length <= bestLength) continue
    best = field
    bestLength = length
  }
  return best
}

/**
 * True if the pattern covers the leaf. Every leaf of every object is looked up several times, so most patterns are
 * ruled out without splitting the path.
 */
function holdsFor(pattern: LeafPath, path: LeafPath): boolean {
  if (!pattern.includes('*')) {
    return path.startsWith(pattern) && (path.length === pattern.length || path[pattern.length] === '/')
  }
  const keys = leafKeys(path)
  const patternKeys = leafKeys(pattern)
  return patternKeys.length <= keys.length && patternKeys.every((key, index) => key === '*' || key === keys[index])
}

/** True if undeclared leaves below the field belong to others. */
export function isShared({ owner = 'all' }: Field): boolean {
  return owner !== 'all'
}
