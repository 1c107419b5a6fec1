// Progress of a list through its pages: lists that never end are noticed, and rows that come again are left out.
import type { JsonObject } from '../value/tree.js'
import { ApiFailure } from './failure.js'

/** Maximum number of pages in a row that bring nothing new. One is usual when objects are created meanwhile. */
const barrenPagesMax = 10

export class ListProgress {
  readonly #cursors = new Set<string>()
  readonly #rows = new Set<string>()
  #pages = 0
  #barrenPages = 0

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
    this.#barrenPages = fresh.length === 0 ? this.#barrenPages + 1 : 0
    return fresh
  }

  /** Returns the cursor of the next page. Throws `ApiFailure` if the list leads back to where it was. */
  advanced(cursor: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const key = JSON.stringify(cursor)
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
