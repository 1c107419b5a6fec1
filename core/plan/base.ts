// The base of a comparison: the hashes that a row recorded when it was last applied.
import type { Handler } from '../plugin/handler.js'
import type { LeafHashes, Row } from '../state/row.js'
import type { LeafPath } from '../value/tree.js'

/** Hash that stands for a missing leaf. */
export const absentHash = '-'
/** Hash that stands for a value known only after apply. */
export const unknownHash = '?'
/** Prefix of every hash of a sensitive leaf, so that its value stays hidden after the declaration is removed. */
const sensitiveMark = '!'

export interface Base {
  readonly desired: string
  /** Hash of the observed value; null if nothing was observed: for write-only leaves and for interrupted creates. */
  readonly observed: string | null
}

/** Returns the recorded hashes of a leaf; undefined if nothing comparable was recorded. */
export function baseOf(handler: Handler, row: Row | undefined, path: LeafPath): Base | undefined {
  if (!row || row.form !== handler.form) return undefined
  const current = row.leaves[path]
  if (current === undefined) return undefined
  return typeof current === 'string'
    ? { desired: current, observed: current }
    : { desired: current[0], observed: current[1] }
}

export function leafHashes(desired: string, observed: string | null): LeafHashes {
  return desired === observed ? desired : [desired, observed]
}

export function sensitiveHash(hash: string): string {
  return sensitiveMark + hash
}

export function isSensitiveHash(hash: string): boolean {
  return hash.startsWith(sensitiveMark)
}
