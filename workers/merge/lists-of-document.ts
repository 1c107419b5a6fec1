// Reads the lists of one side of a merge: annotations of pages, and the members of the field tree.
import type { OpenDocument } from '../document/open-document.js'
import { Reading } from '../document/reading.js'
import { fieldTree } from '../fields/field-tree.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, numbersOfElements, objectNumberOf } from '../objects/values.js'

export interface DocumentLists {
  /** Object numbers in the /Annots of the pages that were read. */
  readonly onPages: ReadonlySet<number>
  /** Fields, with their ancestors and widgets. */
  readonly inForm: ReadonlySet<number>
}

/** Reads the lists. `pages`: object numbers of the pages to read. */
export function listsOf(document: OpenDocument, pages: ReadonlySet<number>): DocumentLists {
  const onPages = [...pages]
    .filter((page) => document.hasPage(page))
    .flatMap((page) => numbersOfElements(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax))
  const fields = fieldTree(new Reading(document, limits.itemsMax))
  const inForm = fields.flatMap(({ lineage, widgets }) =>
    [...lineage, ...widgets].flatMap((one) => objectNumberOf(one) ?? []),
  )
  return { onPages: new Set(onPages.filter((number) => number > 0)), inForm: new Set(inForm) }
}

/** Returns the pages on which either side changed something. `changed`: object numbers. */
export function changedPages(documents: readonly OpenDocument[], changed: ReadonlySet<number>): ReadonlySet<number> {
  const pages = new Set<number>()
  for (const document of documents) {
    for (const page of document.pages) {
      if (pages.has(page)) continue
      const annots = numbersOfElements(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)
      if ([...objectsOfPage(document, page), ...annots].some((number) => changed.has(number))) pages.add(page)
    }
  }
  return pages
}

/** Returns the numbers of the page and of its array of annotations, if that is an object of its own. */
export function objectsOfPage(document: OpenDocument, page: number): readonly number[] {
  const list = objectNumberOf(document.pageObject(page).get('Annots'))
  return list === undefined ? [page] : [page, list]
}
