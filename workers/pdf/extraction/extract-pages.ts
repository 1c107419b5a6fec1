// Copies pages into a new document, with what hangs on them: annotations, links within the pages, form fields and
// optional content. The engine's own copy leaves annotations out, and following every reference would bring the whole
// document along; so a copy of the source is cut down first, and what is left is taken over as it is.
import type { PDFDocument, PDFObject } from 'mupdf'
import { mupdf } from '../library.js'
import type { OpenDocument } from '../open-document.js'
import { isEngineError } from '../trap.js'
import { entry, isMissing } from '../values.js'
import { cutAnnotations } from './cut-annotations.js'
import { cutForm, type FormCut } from './cut-form.js'
import { dropDangling } from './drop-dangling.js'

/** What a page takes from its ancestors, which stay behind (ISO 32000-2, 7.7.3.4). */
const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
/** Page tree, article threads, structure tree: they lead to the rest of the document. */
const leadingKeys = ['Parent', 'B', 'StructParents', 'AA', 'PressSteps']

/** Changes `source`: give it a copy of its own. The caller destroys the answer. */
export function extractPages(source: OpenDocument, pages: readonly number[]): PDFDocument {
  const objects = pages.map((page) => source.pageObject(page))
  const kept = new Set(pages)
  const annotations = objects.flatMap((page) => cutAnnotations({ source, page, kept }))
  const form = cutForm(source, annotations)
  for (const page of objects) standAlone(page)
  // Whatever still points at another page finds nothing there.
  for (const page of source.pages) if (!kept.has(page)) source.pdf.deleteObject(page)
  try {
    return collect(source, objects, form)
  } catch (error) {
    if (!isEngineError(error)) throw error
    dropDangling(source.pdf, form === undefined ? objects : [...objects, form.dictionary])
    return collect(source, objects, form)
  }
}

function standAlone(page: PDFObject): void {
  for (const key of inheritedKeys) {
    const value = page.getInheritable(key)
    if (!isMissing(value)) page.put(key, value)
  }
  for (const key of leadingKeys) page.delete(key)
}

function collect(source: OpenDocument, pages: readonly PDFObject[], form: FormCut | undefined): PDFDocument {
  const target = new mupdf.PDFDocument()
  const graft = target.newGraftMap()
  try {
    for (const page of pages) target.insertPage(-1, graft.graftObject(page))
    const catalog = target.getTrailer().get('Root')
    for (const key of ['OCProperties', 'Lang']) {
      const value = entry(source.catalog, key)
      if (!isMissing(value)) catalog.put(key, graft.graftObject(value))
    }
    if (form !== undefined) catalog.put('AcroForm', graft.graftObject(form.dictionary))
    return target
  } catch (error) {
    target.destroy()
    throw error
  } finally {
    graft.destroy()
  }
}
