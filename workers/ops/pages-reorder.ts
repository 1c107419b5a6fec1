// `pages.reorder`: moves pages to one position. They keep their object numbers, so references to them stay valid.

import { placeOf } from '../assembly/page-place.js'
import { rearrange } from '../assembly/rearrange.js'
import { distinctRequestedPages, pageMeta } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { PagesReorder } from '../contract/ops/pages-reorder.js'
import { pageRef } from '../contract/page-ref.js'
import { readLayout } from '../pages/layout.js'

export const work = opWork(PagesReorder, {
  apply({ pages: refs, position }, change) {
    const { document } = change
    const pages = distinctRequestedPages(change, refs)
    const moving = new Set(pages)
    const place = placeOf(change, position, moving)
    const isMove = moves(document.pages, { pages, moving, place })
    change.cannotBeUndone()
    if (isMove) {
      const objects = pages.map((page) => document.pageObject(page))
      // Fields that the form does not list are in page order.
      change.effects.document('forms')
      rearrange(change, {
        pages,
        edit(tree) {
          tree.remove(moving)
          tree.insert(objects, place)
        },
      })
    }
    return {
      type: 'pages.reorder' as const,
      pages: pages.map(pageRef),
      layout: readLayout(change.reading()),
      meta: pageMeta(isMove ? pages : []),
    }
  },
})

interface PageMove {
  readonly pages: readonly number[]
  readonly moving: ReadonlySet<number>
  readonly place: ReturnType<typeof placeOf>
}

/** Returns false if the pages are at the position already. */
function moves(order: readonly number[], { pages, moving, place }: PageMove): boolean {
  const staying = order.filter((page) => !moving.has(page))
  const at = place === undefined ? 0 : staying.indexOf(place.page) + (place.isAfter ? 1 : 0)
  const wanted = [...staying.slice(0, at), ...pages, ...staying.slice(at)]
  return wanted.some((page, index) => page !== order[index])
}
