// Copies pages with their annotations, internal links, form fields and optional content into a new document. The
// engine's own copy omits annotations.
import type { PDFDocument } from 'mupdf'
import type { OpenDocument } from '../../document/open-document.js'
import { mupdf } from '../../engine/library.js'
import { entry } from '../../objects/values.js'
import { detachPages } from './detach-pages.js'
import { ObjectCopier } from './object-copier.js'

/**
 * Extracts the pages. `source` is changed and must be a copy for this purpose only. The caller destroys the returned
 * document.
 */
export function extractPages(source: OpenDocument, pages: readonly number[]): PDFDocument {
  const detached = detachPages(source, pages)
  const target = new mupdf.PDFDocument()
  try {
    const copier = new ObjectCopier(target)
    for (const page of detached.pages) copier.reserve(page)
    for (const page of detached.pages) {
      const copied = copier.copy(page)
      if (copied !== undefined) target.insertPage(-1, copied)
    }
    const catalog = target.getTrailer().get('Root')
    const further = {
      OCProperties: entry(source.catalog, 'OCProperties'),
      Lang: entry(source.catalog, 'Lang'),
      // Readers interpret page colours according to the document's output intent.
      OutputIntents: entry(source.catalog, 'OutputIntents'),
      ...(detached.form !== undefined && { AcroForm: detached.form.dictionary }),
    }
    for (const [key, value] of Object.entries(further)) {
      const copied = copier.copy(value)
      if (copied !== undefined) catalog.put(key, copied)
    }
    return target
  } catch (error) {
    target.destroy()
    throw error
  }
}
