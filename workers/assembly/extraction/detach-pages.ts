// Makes pages fit to be copied into another document with what hangs on them: annotations, links within the pages and form
// fields stay, every tie to the rest is cut. Otherwise one page would bring the whole document along.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../../document/open-document.js'
import { isMissing } from '../../objects/values.js'
import { cutAnnotations } from './cut-annotations.js'
import { cutForm, type FormCut } from './cut-form.js'

/** Entries that a page inherits from its ancestors, which are not copied (ISO 32000-2, 7.7.3.4). */
const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
/** Page tree, article threads, structure tree: they lead to the rest of the document. */
const leadingKeys = ['Parent', 'B', 'StructParents', 'AA', 'PressSteps']

export interface DetachedPages {
  readonly pages: readonly PDFObject[]
  readonly form: FormCut | undefined
}

/** Changes `source`: give it a copy of its own. */
export function detachPages(source: OpenDocument, pages: readonly number[]): DetachedPages {
  const objects = pages.map((page) => source.pageObject(page))
  const kept = new Set(pages)
  const annotations = objects.flatMap((page) => cutAnnotations({ source, page, kept }))
  const form = cutForm(source, annotations)
  for (const page of objects) standAlone(page)
  // Whatever still points at another page finds nothing there.
  for (const page of source.pages) if (!kept.has(page)) source.pdf.deleteObject(page)
  return { pages: objects, form }
}

function standAlone(page: PDFObject): void {
  for (const key of inheritedKeys) {
    const value = page.getInheritable(key)
    if (!isMissing(value)) page.put(key, value)
  }
  for (const key of leadingKeys) page.delete(key)
}
