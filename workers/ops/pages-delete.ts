// `pages.delete`: removes pages with their annotations and fields.

import { dropPages } from '../assembly/drop-pages.js'
import { rearrange } from '../assembly/rearrange.js'
import { pageMeta, requestedPages } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { PagesDelete } from '../contract/ops/pages-delete.js'
import { readLayout } from '../pages/layout.js'

export const work = opWork(PagesDelete, {
  apply({ pages: refs }, change) {
    const { document } = change
    const pages = requestedPages(change, refs)
    if (pages.size === document.pageCount) throw new JobRefusal('InvalidArg', 'A document cannot lose all its pages')
    change.cannotBeUndone()
    if (pages.size > 0) {
      const objects = [...pages].map((page) => document.pageObject(page))
      rearrange(change, { pages, edit: (tree) => tree.remove(pages), afterwards: () => dropPages(change, objects) })
    }
    return { type: 'pages.delete' as const, layout: readLayout(change.reading()), meta: pageMeta(pages) }
  },
})
