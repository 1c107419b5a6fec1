// A layer that was edited over an older version, merged over the head version. Reads compute the merge; the next write
// stores it.
import type { EffectList } from '../../workers/change/effects.js'
import type { BehindReason, MergeConflicts } from '../../workers/contract/merge-conflict.js'
import type { CacheDelta, CachePins } from '../../workers/contract/mutation-meta.js'
import type { ObjectImage } from '../../workers/objects/object-image.js'
import type { LayerRow } from '../rows/layer.js'

export interface MovedContent {
  /** Row as stored. */
  readonly stored: LayerRow
  /** Images that the stored layer does not have in this form, and numbers of those that it keeps. */
  readonly images: readonly ObjectImage[]
  readonly kept: ReadonlySet<number>
  /** Pins of pages that moved, by object number. */
  readonly pagePins: ReadonlyMap<number, CachePins>
  readonly conflicts: MergeConflicts
}

export interface MovedLayer extends MovedContent {
  readonly state: 'moved'
  /** Row over the head version. */
  readonly row: LayerRow
  readonly effects: EffectList
  readonly delta: CacheDelta | null
  /** First object number that is unused in the document, before and after the move. */
  readonly numbers: { readonly before: number; readonly after: number }
}

export interface BehindLayer {
  readonly state: 'behind'
  readonly reason: BehindReason
  /** Change that keeps the layer over its version, where it is a single one that is known. */
  readonly auditId?: number | undefined
}

export type ComputedMove = MovedLayer | BehindLayer

/** Returns the approximate memory of a computed move. */
export function bytesOfMove(move: ComputedMove): number {
  if (move.state === 'behind') return 0
  const { images, kept, pagePins } = move
  return images.reduce((sum, { body }) => sum + body.length, 0) + 64 * (kept.size + pagePins.size)
}
