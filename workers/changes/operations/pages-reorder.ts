// `pages.reorder`: moves pages to one place. They keep their numbers, and all that refers to them.
import { readLayout } from '../../pdf/layout.js'
import { PagesReorder } from '../../shapes/changes/pages-reorder.js'
import { pageRef } from '../../shapes/page-ref.js'
import { changeOperation } from '../operation.js'
import { KeptLabels } from '../pages/kept-labels.js'
import { pageMeta, pagesNamedOnce } from '../pages/named-in.js'
import { PageTree } from '../pages/page-tree.js'
import { placeOf } from '../pages/place-of.js'

export const pagesReorder = changeOperation(PagesReorder, {
  type: 'pages.reorder',
  apply({ pages: refs, position }, change) {
    const { document, effects } = change
    const pages = pagesNamedOnce(change, refs)
    const moving = new Set(pages)
    const place = placeOf(change, position, moving)
    const isMove = moves(document.pages, { pages, moving, place })
    change.cannotBeUndone()
    if (isMove) {
      const objects = pages.map((page) => document.pageObject(page))
      const labels = new KeptLabels(change)
      const tree = new PageTree(change)
      tree.remove(moving)
      tree.insert(objects, place)
      tree.save()
      labels.save()
      effects.document('layout')
      for (const page of pages) effects.page(page)
    }
    return {
      type: 'pages.reorder' as const,
      pages: pages.map(pageRef),
      layout: readLayout(change.reading()),
      meta: pageMeta(isMove ? pages : []),
    }
  },
})

interface Moving {
  readonly pages: readonly number[]
  readonly moving: ReadonlySet<number>
  readonly place: ReturnType<typeof placeOf>
}

/** False = they stand there already. */
function moves(order: readonly number[], { pages, moving, place }: Moving): boolean {
  const staying = order.filter((page) => !moving.has(page))
  const at = place === undefined ? 0 : staying.indexOf(place.page) + (place.isAfter ? 1 : 0)
  const wanted = [...staying.slice(0, at), ...pages, ...staying.slice(at)]
  return wanted.some((page, index) => page !== order[index])
}
