// An open PDF with the data that every job needs: its pages by object number, in display order.
import type { PDFDocument, PDFObject, PDFPage } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { hasLeadingJunk } from '../file/open-pdf.js'
import type { BaseEntries } from '../file/section/base-entries.js'
import type { OpenedAs } from '../file/unlock-pdf.js'
import type { InlineAnnotation } from '../messages/task.js'
import { ownKeys } from '../objects/own-keys.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, isArray, numbersOfElements, textOf } from '../objects/values.js'
import { hasStrayCropBox } from './page-boxes.js'
import { PageList } from './page-list.js'

export interface Origin {
  /** Path of the base file of the edits. */
  readonly path?: string
  /** Numbers of unreferenced objects that are stored for an undo. */
  readonly hidden?: Iterable<number>
  /** Annotations that the file stores inline and that have become indirect objects. */
  readonly promoted?: Iterable<InlineAnnotation>
}

export class OpenDocument {
  /** Numbers of hidden objects. Changes add and remove them; a copy whose change was refused is never used again. */
  readonly hidden: Set<number>
  /** True if the document may differ from its file, so that a repair by the engine would lose changes. */
  isAltered = false
  #isClosed = false
  /** Pages without inline annotations: changes add indirect annotations only. */
  readonly withoutInline = new Set<number>()
  /** Entries of the file under this copy, which are read before the first change. */
  baseEntries: BaseEntries | undefined
  readonly #promoted: InlineAnnotation[]
  readonly #promotedNumbers: Set<number>
  #undoData: Map<string, number> | undefined
  #pageList: PageList | undefined
  #hasLeadingJunk: boolean | undefined

  constructor(
    readonly pdf: PDFDocument,
    readonly openedAs: OpenedAs,
    readonly origin: Origin = {},
  ) {
    this.hidden = new Set(origin.hidden)
    this.#promoted = [...(origin.promoted ?? [])]
    this.#promotedNumbers = new Set(this.#promoted.map(({ objectNumber }) => objectNumber))
  }

  /** Promoted annotations, which keep the name `base:N`. */
  get promoted(): readonly InlineAnnotation[] {
    return this.#promoted
  }

  promote(annotation: InlineAnnotation): void {
    this.#promoted.push(annotation)
    this.#promotedNumbers.add(annotation.objectNumber)
  }

  /** Returns whether the object is a promoted annotation. */
  isPromoted(number: number): boolean {
    return this.#promotedNumbers.has(number)
  }

  /** Hidden objects that contain the layer's data for later undos, by key. */
  get undoData(): Map<string, number> {
    this.#undoData ??= new Map(
      [...this.hidden].flatMap((number): [string, number][] => {
        const about = textOf(entry(this.pdf.newIndirect(number), ownKeys.note))
        return about === undefined ? [] : [[about, number]]
      }),
    )
    return this.#undoData
  }

  /**
   * True if offsets in the file count from its header instead of its start. Only files that were locked at ingest can
   * have leading junk.
   */
  get hasLeadingJunk(): boolean {
    this.#hasLeadingJunk ??= this.origin.path !== undefined && hasLeadingJunk(this.origin.path)
    return this.#hasLeadingJunk
  }

  get trailer(): PDFObject {
    return this.pdf.getTrailer()
  }

  get catalog(): PDFObject {
    return this.trailer.get('Root')
  }

  /** Object numbers of the pages, in display order. */
  get pages(): readonly number[] {
    return this.#pages.all()
  }

  get pageCount(): number {
    return this.#pages.all().length
  }

  get firstPage(): number | undefined {
    return this.#pages.first()
  }

  hasPage(page: number): boolean {
    return this.#pages.indexOf(page) !== undefined
  }

  /** Returns the index of a page in display order, from 0. */
  indexOf(page: number): number {
    const index = this.#pages.indexOf(page)
    if (index === undefined) throw new JobRefusal('NotFound', `There is no page obj:${page}`)
    return index
  }

  /** Returns the page's dictionary. */
  pageObject(page: number): PDFObject {
    this.indexOf(page)
    // Pages are loaded by object number: by index, the engine walks the page tree each time.
    return this.pdf.newIndirect(page)
  }

  /** Passes the engine's page object, which can draw, to a callback and releases it afterwards in any case. */
  withPage<Answer>(page: number, use: (page: PDFPage) => Answer): Answer {
    const loaded = this.pdf.loadPage(this.indexOf(page))
    const object = this.pageObject(page)
    const isStray = hasStrayCropBox(object)
    const own = object.get('CropBox')
    // All engine functions read this box, so it is replaced while the page is in use.
    if (isStray) object.put('CropBox', object.getInheritable('MediaBox'))
    try {
      return use(loaded)
    } finally {
      if (isStray && own.isNull()) object.delete('CropBox')
      else if (isStray) object.put('CropBox', own)
      loaded.destroy()
    }
  }

  /**
   * Same as `withPage`, for callers that need no annotations. Loading a page again, the engine generates appearances of
   * inline annotations in this very copy and changes their entries; of such a page it gets no annotations.
   */
  withContent<Answer>(page: number, use: (page: PDFPage) => Answer): Answer {
    return this.hasInline(page) ? this.withAnnots(page, this.pdf.newArray(), use) : this.withPage(page, use)
  }

  /** Same as `withPage`; the engine reads this array in place of the page's /Annots. */
  withAnnots<Answer>(page: number, annots: PDFObject, use: (page: PDFPage) => Answer): Answer {
    const object = this.pageObject(page)
    const own = object.get('Annots')
    // The engine reads annotations only when it loads the page.
    object.put('Annots', annots)
    try {
      return this.withPage(page, use)
    } finally {
      object.put('Annots', own)
    }
  }

  /** Returns whether the page stores annotations inline. */
  hasInline(page: number): boolean {
    const annots = entry(this.pageObject(page), 'Annots')
    return isArray(annots) && numbersOfElements(annots, readingLimits.annotsLengthMax).includes(0)
  }

  /** Invalidates the page list after pages were inserted, removed or moved. */
  forgetPages(): void {
    this.#pageList = undefined
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  destroy(): void {
    this.#isClosed = true
    this.pdf.destroy()
  }

  get #pages(): PageList {
    this.#pageList ??= new PageList(this.pdf)
    return this.#pageList
  }
}
