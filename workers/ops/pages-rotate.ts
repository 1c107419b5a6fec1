// `pages.rotate`: sets the rotation of pages, regardless of the current one.

import { pageMeta, requestedPages } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { PagesRotate } from '../contract/ops/pages-rotate.js'
import { pageRotation } from '../document/page-boxes.js'
import { readLayout } from '../pages/layout.js'

export const work = opWork(PagesRotate, {
  apply({ pages: refs, rotation }, change) {
    const { document, effects } = change
    const turning = [...requestedPages(change, refs)].filter(
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
