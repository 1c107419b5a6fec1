// Redacts one page: everything under its marks leaves it, and what the marks want drawn is drawn.
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { dropMarkedDescriptions } from './descriptions.js'
import { lookUnder } from './look-under.js'
import { type Mark, regionOf } from './marks.js'
import { drawOverlays } from './overlay.js'
import type { Region } from './region.js'
import { takeAway } from './take-away.js'
import { takeOut } from './take-out.js'

export interface RedactedPage {
  readonly page: number
  readonly region: Region
  readonly marks: readonly Mark[]
  readonly removedAnnotationCount: number
  /** What was taken out of the content, by lines. */
  readonly words: readonly string[]
}

export function redactPage(page: AnnotatedPage, marks: readonly Mark[]): RedactedPage {
  const { change, page: number } = page
  const region = regionOf(marks)
  const object = change.touch(change.document.pageObject(number))
  const { text } = change.document.withPage(number, (loaded) => lookUnder(loaded, region))
  const removedAnnotationCount = takeAway(page, marks, region)
  if (!region.isEmpty) takeOut(change, number, region)
  dropMarkedDescriptions(change, object)
  // A small picture of the page as it was, and what programs noted about it.
  for (const key of ['Thumb', 'PieceInfo', 'Metadata']) object.delete(key)
  drawOverlays(change, object, marks)
  change.effects.page(number, 'content', 'annotations')
  return { page: number, region, marks, removedAnnotationCount, words: text.split('\n') }
}
