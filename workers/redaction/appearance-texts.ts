// Collects the words that appearances of annotations and widgets show, whatever their other entries contain.
import type { PDFAnnotation, PDFPage } from 'mupdf'
import type { Change } from '../change/change.js'
import { orElse } from '../engine/trap.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isMissing } from '../objects/values.js'
import { listSource, withText } from '../pages/reading-order/ordered-text.js'
import type { Texts } from './stored-texts.js'

export function* appearanceTexts({ document }: Change, page: number): Texts {
  const annots = entry(document.pageObject(page), 'Annots')
  const drawn = [...elementsOf(annots, readingLimits.annotsLengthMax)].filter(
    (annotation) => !isMissing(entry(annotation, 'AP', 'N')),
  )
  if (drawn.length === 0) return
  // Of the others the engine would change inline ones.
  const list = document.pdf.newArray()
  for (const annotation of drawn) list.push(inlineCopy(annotation))
  yield* document.withAnnots(page, list, textsShown)
}

function textsShown(page: PDFPage): readonly (string | undefined)[] {
  const shown = [...page.getAnnotations(), ...page.getWidgets()]
  try {
    return shown.map((one) => orElse(undefined, () => textShown(one)))
  } finally {
    for (const one of shown) one.destroy()
  }
}

/** Returns the text of the stored appearance only: for an annotation without one the engine would generate one. */
function textShown(annotation: PDFAnnotation): string | undefined {
  if (isMissing(entry(annotation.getObject(), 'AP', 'N'))) return undefined
  const list = annotation.toDisplayList()
  try {
    return withText(listSource(list), '', ({ text }) => text)
  } finally {
    list.destroy()
  }
}
