// The pages of a document by object number, in display order, read lazily: the first page of a thousand must not wait
// for the others.
import type { PDFDocument } from 'mupdf'
import { orElse } from '../engine/trap.js'
import { limits } from '../limits.js'

export class PageList {
  /** Index by object number. A page that is listed twice counts at its first position. */
  readonly #indexes = new Map<number, number>()
  readonly #pdf: PDFDocument
  readonly #count: number
  #read = 0

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf
    this.#count = Math.min(
      orElse(0, () => pdf.countPages()),
      limits.pagesMax,
    )
  }

  /** Returns undefined if the number is not a page of this document. */
  indexOf(page: number): number | undefined {
    while (!this.#indexes.has(page) && this.#readNext());
    return this.#indexes.get(page)
  }

  first(): number | undefined {
    while (this.#indexes.size === 0 && this.#readNext());
    return this.#indexes.keys().next().value
  }

  all(): readonly number[] {
    while (this.#readNext());
    return [...this.#indexes.keys()]
  }

  /**
   * Reads one more page. The list ends at the first page that cannot be found, because a page tree may claim too many.
   */
  #readNext(): boolean {
    if (this.#read >= this.#count) return false
    const index = this.#read++
    const number = orElse(undefined, () => this.#pdf.findPage(index).asIndirect())
    if (number === undefined) this.#read = this.#count
    else if (number > 0 && !this.#indexes.has(number)) this.#indexes.set(number, index)
    return true
  }
}
