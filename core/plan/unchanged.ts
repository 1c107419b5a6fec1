// Determines whether a listed object is unchanged since it was last observed, which every recorded leaf must prove.
import { isShared } from '../plugin/fields.js'
import type { Handler } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import { absentHash, baseOf, isSensitiveHash } from './base.js'
import { fieldOf, hashLeaf, type LeafHasher } from './hasher.js'
import { type Observation, observedLeaves } from './observation.js'

/**
 * True if the row's hashes prove that the object is unchanged. Sensitive leaves cannot be compared without their
 * variables, so an object that shows one is read like a changed one; that costs one request and never gives a wrong
 * result.
 */
export async function isUnchanged(
  hasher: LeafHasher,
  handler: Handler,
  row: Row,
  found: Observation,
): Promise<boolean> {
  if (found.type === 'gone' || row.operation !== undefined) return false
  const observed = observedLeaves(handler, found, new Set())
  for (const [path, value] of observed) {
    const base = baseOf(handler, row, path)
    const field = fieldOf(handler, path)
    if (isShared(field) && base === undefined) continue
    if (base === undefined || base.observed === null || isSensitiveHash(base.observed)) return false
    if ((await hashLeaf(hasher, field, value, [])) !== base.observed) return false
  }
  return Object.keys(row.leaves).every((path) => {
    const base = baseOf(handler, row, path)
    return base?.observed === null || base?.observed === absentHash || observed.has(path)
  })
}
