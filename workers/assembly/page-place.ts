// Resolves a position in the page order to the page beside it.

import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PagePosition } from '../contract/list-position.js'

export interface Place {
  readonly page: number
  readonly isAfter: boolean
}

/**
 * Returns the index among the pages that do not move; undefined if all do. Throws `NotFound`, and `InvalidArg` for a
 * page that is moved relative to itself.
 */
export function placeOf(
  { document }: Change,
  position: PagePosition,
  moving: ReadonlySet<number> = new Set(),
): Place | undefined {
  if (position === 'start' || position === 'end') {
    const isAfter = position === 'end'
    const staying = document.pages.filter((page) => !moving.has(page))
    const page = staying.at(isAfter ? -1 : 0)
    return page === undefined ? undefined : { page, isAfter }
  }
  const isAfter = 'after' in position
  const { objectNumber: page } = isAfter ? position.after : position.before
  document.indexOf(page)
  if (moving.has(page)) throw new JobRefusal('InvalidArg', `The page obj:${page} cannot be placed beside itself`)
  return { page, isAfter }
}
