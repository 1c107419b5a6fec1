// `pages.rotate`: turns pages to an angle, whatever theirs was.
import { readLayout } from '../../pdf/layout.js'
import { pageRotation } from '../../pdf/page-boxes.js'
import { PagesRotate } from '../../shapes/changes/pages-rotate.js'
import { changeOperation } from '../operation.js'
import { pageMeta, pagesNamedIn } from '../pages/named-in.js'

export const pagesRotate = changeOperation(PagesRotate, {
  type: 'pages.rotate',
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
