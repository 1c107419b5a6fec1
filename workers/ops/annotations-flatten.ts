// `annotations.flatten`: draws annotations of one page into its content.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { pageMeta } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { AnnotationsFlatten } from '../contract/ops/annotations-flatten.js'
import { Drawings } from '../flatten/drawings.js'
import { flattenOnPage } from '../flatten/flatten-page.js'

export const work = opWork(AnnotationsFlatten, {
  apply({ page: ref, refs, usage }, change) {
    const page = new AnnotatedPage(change, ref.objectNumber)
    const named = refs.map((one) => ({ ref: one, found: page.find(one) }))
    const chosen = new Set(named.map(({ found }) => found))
    change.cannotBeUndone()
    const applied = flattenOnPage({ page, usage, drawings: new Drawings(change) }, chosen)
    return {
      type: 'annotations.flatten' as const,
      page: ref,
      usage,
      results: named.map(({ ref: one, found }) => ({
        ref: one,
        status: applied.has(found) ? ('applied' as const) : ('unchanged' as const),
      })),
      meta: pageMeta(applied.size > 0 ? [ref.objectNumber] : []),
    }
  },
})
