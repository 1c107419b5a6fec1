// Progress of a list through its pages: lists that never end are noticed, and rows that come again are left out.
import type { JsonObject } from '../value/tree.js'
import { ApiFailure } from './failure.js'

/** Maximum number of pages in a row whose rows came before. One is usual when objects are created meanwhile. */
const barrenPagesMax = 10
/** Maximum number of pages in a row without rows: a filter of the service may hide all rows of many pages. */
const emptyPagesMax = 1_000

export class ListProgress {
  readonly #cursors = new Set<string>()
  readonly #rows = new Set<string>()
  #pages = 0
  #barrenPages = 0
  #emptyPages = 0

  /** `operation`: method and path, `GET /agents`. */
  constructor(private readonly operation: string) {}

  /**
   * Returns the rows of the next page that were on no page before. An object comes again when others are created, or
   * it is moved, while the list is read.
   */
  freshRows(rows: readonly JsonObject[]): readonly JsonObject[] {
    const fresh = rows.filter((row) => !this.#rows.has(keyOf(row) ?? ''))
    for (const row of rows) {
      const key = keyOf(row)
      if (key !== undefined) this.#rows.add(key)
    }
    this.#pages += 1
    this.#emptyPages = rows.length === 0 ? this.#emptyPages + 1 : 0
    if (fresh.length > 0) this.#barrenPages = 0
    else if (rows.length > 0) this.#barrenPages += 1
    return fresh
  }

  /**
   * Returns the cursor of the next page; undefined after the last one, which may be a page without rows that leads back.
   * Throws `ApiFailure` if a list with rows leads back to where it was.
   */
  advanced(cursor: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> | undefined {
    const key = JSON.stringify(cursor)
    if (cursor === undefined || (this.#emptyPages > 0 && this.#cursors.has(key))) return undefined
    if (this.#emptyPages > emptyPagesMax)
      throw this.#endless(`the last ${this.#emptyPages} of ${this.#pages} pages have no rows`)
    if (this.#cursors.has(key)) throw this.#endless(`page ${this.#pages} leads to ${key}, as a page before it did`)
    if (this.#barrenPages > barrenPagesMax)
      throw this.#endless(`the last ${this.#barrenPages} of ${this.#pages} pages brought no new row`)
    this.#cursors.add(key)
    return cursor
  }

  #endless(observation: string): ApiFailure {
    return new ApiFailure({
      class: 'unexpected',
      obstacle: 'endlessList',
      status: 0,
      operation: this.operation,
      message: `the list does not end: ${observation}`,
      isAmbiguous: false,
    })
  }
}

/** Versions of one object may have its id. Rows without an id cannot be told apart. */
function keyOf({ id, version }: JsonObject): string | undefined {
  return typeof id === 'string' ? JSON.stringify([id, version ?? null]) : undefined
}
