// Data stored about the pages of a file: their object numbers and their inline annotations.

import type { OpenDocument } from '../document/open-document.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../objects/values.js'

export interface PageFact {
  readonly objectNumber: number
  /** Indexes in `/Annots` of inline annotations, which are named `base:N` permanently. */
  readonly inlineAnnotations: readonly number[]
}

/**
 * Returns facts in display order. Inline annotations above the limit of an answer are omitted: no read could return
 * them.
 */
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
