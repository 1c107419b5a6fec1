// `pages.setScale`: adds one viewport over the whole page. It is the first one, so that viewports of the file take
// precedence in their regions: of overlapping viewports the later one counts (ISO 32000-2, 12.9.1).
import type { PDFObject } from 'mupdf'
import { pageMeta } from '../assembly/requested-pages.js'
import type { Change } from '../change/change.js'
import { opWork } from '../change/op-work.js'
import type { Measure } from '../contract/measurement.js'
import { PagesSetScale } from '../contract/ops/pages-set-scale.js'
import { pageRef } from '../contract/page-ref.js'
import { readingLimits } from '../objects/reading-limits.js'
import { booleanOf, elementsOf, entry } from '../objects/values.js'
import { measureDictionary } from '../pages/measure-dictionary.js'
import { ownedViewportKey } from '../pages/viewports.js'

export const work = opWork(PagesSetScale, {
  apply({ page: { objectNumber: page }, measure }, change) {
    const object = change.touch(change.document.pageObject(page))
    const others = [...elementsOf(entry(object, 'VP'), readingLimits.numbersMax)].filter(
      (viewport) => !isOwned(viewport),
    )
    const viewports = measure === null ? others : [viewportOf(change, page, measure), ...others]
    const before = entry(object, 'VP').toString(true)
    putList(object, viewports)
    const isChanged = entry(object, 'VP').toString(true) !== before
    change.cannotBeUndone()
    if (isChanged) {
      // The picture of the page is unchanged: a scale is part of its layout.
      change.effects.document('layout')
      change.effects.page(page)
    }
    return { type: 'pages.setScale' as const, page: pageRef(page), meta: pageMeta(isChanged ? [page] : []) }
  },
})

const isOwned = (viewport: PDFObject): boolean => booleanOf(entry(viewport, ownedViewportKey)) ?? false

function viewportOf(change: Change, page: number, measure: Measure): PDFObject {
  const { pdf } = change
  const space = change.reading().spaceOf(page)
  const { left, bottom, right, top } = space.cropBox
  const viewport = pdf.newDictionary()
  viewport.put('Type', pdf.newName('Viewport'))
  viewport.put('BBox', [left, bottom, right, top])
  viewport.put('Measure', measureDictionary(measure, { pdf, space }))
  viewport.put(ownedViewportKey, true)
  return viewport
}

function putList(page: PDFObject, viewports: readonly PDFObject[]): void {
  const list = page._doc.newArray()
  for (const viewport of viewports) list.push(viewport)
  if (viewports.length > 0) page.put('VP', list)
  else page.delete('VP')
}
