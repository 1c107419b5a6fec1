// Inserts new pages at a position of the page order.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PagePosition } from '../contract/list-position.js'
import { pageRef } from '../contract/page-ref.js'
import { limits } from '../limits.js'
import { objectNumberOf } from '../objects/values.js'
import { readLayout } from '../pages/layout.js'
import { placeOf } from './page-place.js'
import { rearrange } from './rearrange.js'
import { pageMeta } from './requested-pages.js'

export interface Insertion {
  /** New pages in their final order. */
  readonly pages: readonly PDFObject[]
  readonly position: PagePosition
}

export function insertPages(change: Change, { pages, position }: Insertion) {
  const { document } = change
  const pageCount = document.pageCount + pages.length
  if (pageCount > limits.pagesMax) {
    const details = { limit: 'pagesMax', max: limits.pagesMax, value: pageCount }
    throw new JobRefusal('PayloadTooLarge', `The document would have more than ${limits.pagesMax} pages`, details)
  }
  const place = placeOf(change, position)
  const numbers = pages.map((page) => objectNumberOf(page) ?? 0)
  rearrange(change, { pages: numbers, edit: (tree) => tree.insert(pages, place) })
  // Clients that follow changes have no versions of these pages yet.
  for (const page of numbers) change.effects.page(page, 'content')
  change.cannotBeUndone()
  return { insertedPages: numbers.map(pageRef), layout: readLayout(change.reading()), meta: pageMeta(numbers) }
}
