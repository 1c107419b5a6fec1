// Prepares pages for copying into another document: annotations, links among the pages and form fields stay, and every
// other reference out of them is removed. Otherwise a single page would bring the whole document along.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../../document/open-document.js'
import { isMissing } from '../../objects/values.js'
import { cutAnnotations } from './cut-annotations.js'
import { cutForm, type FormCut } from './cut-form.js'

/** Entries that a page inherits from its ancestors (ISO 32000-2, 7.7.3.4), which are not copied. */
const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
/** Entries that lead to other parts of the document: page tree, article threads, structure tree. */
const leadingKeys = ['Parent', 'B', 'StructParents', 'AA', 'PressSteps']

export interface DetachedPages {
  readonly pages: readonly PDFObject[]
  readonly form: FormCut | undefined
}

/** Detaches the pages in place; `source` must be a copy for this purpose only. */
export function detachPages(source: OpenDocument, pages: readonly number[]): DetachedPages {
  const objects = pages.map((page) => source.pageObject(page))
  const extractedPages = new Set(pages)
  const annotations = objects.flatMap((page) => cutAnnotations({ source, page, extractedPages }))
  const form = cutForm(source, annotations)
  for (const page of objects) standAlone(page)
  // Remaining references to other pages lead to null.
  for (const page of source.pages) if (!extractedPages.has(page)) source.pdf.deleteObject(page)
  return { pages: objects, form }
}

function standAlone(page: PDFObject): void {
  for (const key of inheritedKeys) {
    const value = page.getInheritable(key)
    if (!isMissing(value)) page.put(key, value)
  }
  for (const key of leadingKeys) page.delete(key)
}
