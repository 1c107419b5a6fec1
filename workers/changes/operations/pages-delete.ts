// `pages.delete`: takes pages out, with their annotations and fields.
import { readLayout } from '../../pdf/layout.js'
import { PagesDelete } from '../../shapes/changes/pages-delete.js'
import { JobRefusal } from '../../task.js'
import { changeOperation } from '../operation.js'
import { dropPages } from '../pages/drop-pages.js'
import { KeptLabels } from '../pages/kept-labels.js'
import { pageMeta, pagesNamedIn } from '../pages/named-in.js'
import { PageTree } from '../pages/page-tree.js'

export const pagesDelete = changeOperation(PagesDelete, {
  type: 'pages.delete',
  apply({ pages: refs }, change) {
    const { document, effects } = change
    const pages = pagesNamedIn(change, refs)
    if (pages.size === document.pageCount) throw new JobRefusal('InvalidArg', 'A document cannot lose all its pages')
    change.cannotBeUndone()
    if (pages.size > 0) {
      const objects = [...pages].map((page) => document.pageObject(page))
      const labels = new KeptLabels(change)
      const tree = new PageTree(change)
      tree.remove(pages)
      tree.save()
      dropPages(change, objects)
      labels.save()
      effects.document('layout')
      for (const page of pages) effects.page(page)
    }
    return { type: 'pages.delete' as const, layout: readLayout(change.reading()), meta: pageMeta(pages) }
  },
})
