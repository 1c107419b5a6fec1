// Copies the pages of another PDF and all they refer to into the document, as new objects that no page tree and no form
// names yet.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, objectNumberOf } from '../objects/values.js'
import { detachPages } from './extraction/detach-pages.js'
import { ObjectCopier } from './extraction/object-copier.js'

export interface GraftedPages {
  /** Pages in display order. */
  readonly pages: readonly PDFObject[]
  /** Copied part of the source's form, as a separate dictionary. */
  readonly form: PDFObject | undefined
  /** Optional content dictionary of the pages. */
  readonly layers: PDFObject | undefined
}

/** Copies all pages. `source` is changed and must not be used afterwards. */
export function graftPages(change: Change, source: OpenDocument): GraftedPages {
  for (const page of source.pages) nameAnnotations(source, source.pageObject(page))
  const detached = detachPages(source, source.pages)
  const copier = new ObjectCopier(change.pdf, () => change.refuseFull())
  // Pages get consecutive numbers, before the objects they refer to.
  for (const page of detached.pages) copier.reserve(page)
  const pages = detached.pages.flatMap((page) => copier.copy(page) ?? [])
  const form = detached.form && copier.copy(detached.form.dictionary)
  return { pages, form, layers: copier.copy(entry(source.catalog, 'OCProperties')) }
}

/** Annotations that are stored inline get a number: `base:N` is for those of the uploaded file alone. */
function nameAnnotations({ pdf }: OpenDocument, page: PDFObject): void {
  const annotations = entry(page, 'Annots')
  if (!isArray(annotations)) return
  const named = pdf.newArray()
  for (const annotation of elementsOf(annotations, readingLimits.annotsLengthMax)) {
    const isInline = isDictionary(annotation) && objectNumberOf(annotation) === undefined
    named.push(isInline ? pdf.addObject(annotation) : annotation)
  }
  page.put('Annots', named)
}
