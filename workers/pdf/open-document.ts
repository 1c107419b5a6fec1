// An open PDF with what every job asks of one: its pages by object number, in display order.
import type { PDFDocument, PDFObject, PDFPage } from 'mupdf'
import { limits } from '../limits.js'
import { JobRefusal } from '../task.js'

/** Which password let us in; `none` where the file is not encrypted. */
export type OpenedAs = 'none' | 'user' | 'owner'

export class OpenDocument {
  #pages: ReadonlyMap<number, number> | undefined

  constructor(
    readonly pdf: PDFDocument,
    readonly openedAs: OpenedAs,
  ) {}

  get trailer(): PDFObject {
    return this.pdf.getTrailer()
  }

  get catalog(): PDFObject {
    return this.trailer.get('Root')
  }

  /** Object numbers of the pages, in display order. A page that is listed twice counts where it stands first. */
  get pages(): readonly number[] {
    return [...this.#pageIndexes().keys()]
  }

  get pageCount(): number {
    return this.#pageIndexes().size
  }

  hasPage(page: number): boolean {
    return this.#pageIndexes().has(page)
  }

  /** Place of a page in display order, from 0. */
  indexOf(page: number): number {
    const index = this.#pageIndexes().get(page)
    if (index === undefined) throw new JobRefusal('NotFound', `There is no page obj:${page}`)
    return index
  }

  /** The page's dictionary. */
  pageObject(page: number): PDFObject {
    return this.pdf.findPage(this.indexOf(page))
  }

  /** Lends the page in the engine's form, which knows how to draw; it is given back whatever happens. */
  withPage<Answer>(page: number, use: (page: PDFPage) => Answer): Answer {
    const loaded = this.pdf.loadPage(this.indexOf(page))
    try {
      return use(loaded)
    } finally {
      loaded.destroy()
    }
  }

  destroy(): void {
    this.pdf.destroy()
  }

  #pageIndexes(): ReadonlyMap<number, number> {
    this.#pages ??= readPages(this.pdf)
    return this.#pages
  }
}

/** A page tree may claim what it does not have: the list ends at the first page that cannot be found. */
function readPages(pdf: PDFDocument): ReadonlyMap<number, number> {
  const pages = new Map<number, number>()
  const count = Math.min(countPages(pdf), limits.pagesMax)
  for (let index = 0; index < count; index++) {
    const number = pageNumber(pdf, index)
    if (number === undefined) break
    if (number > 0 && !pages.has(number)) pages.set(number, index)
  }
  return pages
}

function countPages(pdf: PDFDocument): number {
  return orElse(0, () => pdf.countPages())
}

function pageNumber(pdf: PDFDocument, index: number): number | undefined {
  return orElse(undefined, () => pdf.findPage(index).asIndirect())
}

/** What mupdf cannot read is left out; a trap is no answer and goes on to end the thread. */
function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    return otherwise
  }
}
