// What is remembered of the pages of a file: their names, and which of their annotations have none.

import type { OpenDocument } from '../document/open-document.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../objects/values.js'

export interface PageFact {
  readonly objectNumber: number
  /** Places in `/Annots` of annotations that are stored inline: `base:N` names them for life. */
  readonly inlineAnnotations: readonly number[]
}

/** Facts in display order. More inline annotations than an answer may list are left out: no read could show them. */
export function pageFacts(document: OpenDocument): readonly PageFact[] {
  let left: number = limits.itemsMax
  return document.pages.map((objectNumber) => {
    const inlineAnnotations = inlineIn(document, objectNumber).slice(0, left)
    left -= inlineAnnotations.length
    return { objectNumber, inlineAnnotations }
  })
}

function inlineIn(document: OpenDocument, page: number): readonly number[] {
  const annotations = elementsOf(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)
  return [...annotations].flatMap((annotation, index) =>
    isDictionary(annotation) && objectNumberOf(annotation) === undefined ? [index] : [],
  )
}
