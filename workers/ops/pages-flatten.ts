// `pages.flatten`: draws annotations and form fields of pages into their content.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { PageAnnotations } from '../annotations/reading/page-annotations.js'
import { pageMeta, requestedPages } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { PagesFlatten } from '../contract/ops/pages-flatten.js'
import { pageRef } from '../contract/page-ref.js'
import { Drawings } from '../flatten/drawings.js'
import { flattenOnPage } from '../flatten/flatten-page.js'
import { isDrawn } from '../flatten/visibility.js'

export const work = opWork(PagesFlatten, {
  apply({ pages: refs, usage }, change) {
    const pages = [...requestedPages(change, refs ?? change.document.pages.map(pageRef))]
    change.cannotBeUndone()
    const drawings = new Drawings(change)
    const reading = change.reading()
    const applied = pages.filter((number) => {
      if (!new PageAnnotations(reading, number).entries.some(({ object }) => isDrawn(object, usage))) return false
      const page = new AnnotatedPage(change, number)
      return flattenOnPage({ page, usage, drawings }, new Set(page.siblings.entries)).size > 0
    })
    const appliedPages = new Set(applied)
    return {
      type: 'pages.flatten' as const,
      pages: pages.map(pageRef),
      usage,
      results: pages.map((page) => ({
        page: pageRef(page),
        status: appliedPages.has(page) ? ('applied' as const) : ('unchanged' as const),
      })),
      meta: pageMeta(applied),
    }
  },
})
