// Moves elements of a list to one position.

import { JobRefusal } from '../../contract/job-refusal.js'
import type { ListPosition } from '../../contract/list-position.js'

interface Move<Ref> {
  /** Elements in their final order. */
  readonly moved: readonly string[]
  readonly position: ListPosition<Ref>
  readonly keyOf: (ref: Ref) => string
}

/**
 * Returns the keys in their new order. Throws `NotFound` for one that is not in the list, and `InvalidArg` for one
 * named twice.
 */
export function ordered<Ref>(keys: readonly string[], { moved, position, keyOf }: Move<Ref>): readonly string[] {
  for (const key of moved) if (!keys.includes(key)) throw new JobRefusal('NotFound', `${key} is not in the list`)
  if (new Set(moved).size < moved.length) throw new JobRefusal('InvalidArg', 'An element is named more than once')
  const rest = keys.filter((key) => !moved.includes(key))
  const place = placeIn(rest, { position, keyOf })
  return [...rest.slice(0, place), ...moved, ...rest.slice(place)]
}

function placeIn<Ref>(rest: readonly string[], { position, keyOf }: Pick<Move<Ref>, 'position' | 'keyOf'>): number {
  if (position === 'start') return 0
  if (position === 'end') return rest.length
  const key = keyOf('before' in position ? position.before : position.after)
  const place = rest.indexOf(key)
  if (place < 0) throw new JobRefusal('NotFound', `${key} is not in the list, or is itself being moved`)
  return 'before' in position ? place : place + 1
}
