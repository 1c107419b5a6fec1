// `pages.rotate`: turns pages to an angle, whatever theirs was.

import { opWork } from '../changes/operation.js'
import { pageMeta, pagesNamedIn } from '../changes/pages/named-in.js'
import { PagesRotate } from '../contract/ops/pages-rotate.js'
import { readLayout } from '../pdf/layout.js'
import { pageRotation } from '../pdf/page-boxes.js'

export const work = opWork(PagesRotate, {
  apply({ pages: refs, rotation }, change) {
    const { document, effects } = change
    const turning = [...pagesNamedIn(change, refs)].filter(
      (page) => pageRotation(document.pageObject(page)) !== rotation,
    )
    change.cannotBeUndone()
    for (const page of turning) {
      change.touch(document.pageObject(page)).put('Rotate', rotation)
      effects.page(page)
      effects.document('layout')
    }
    return { type: 'pages.rotate' as const, layout: readLayout(change.reading()), meta: pageMeta(turning) }
  },
})
