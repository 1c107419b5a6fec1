// Reads lists page by page.
import { isObject, type JsonObject } from '../value/tree.js'

/** Way in which a list is split into pages. */
export interface Paging {
  /** Members of the answer that may contain the rows; the first match counts. Default `data`. */
  readonly rows?: readonly string[]
  /** Returns the query of the next page, or undefined after the last one. */
  next(page: JsonObject, rows: readonly JsonObject[]): Readonly<Record<string, string>> | undefined
  readonly limit?: number
}

/** Paging by `next_page` in the answer and `page` in the query. */
export const pageTokenPaging: Paging = {
  next: (page) =>
    typeof page['next_page'] === 'string' && page['next_page'] ? { page: page['next_page'] } : undefined,
  limit: 100,
}

/** Returns the rows of a page, from the first of these members that has any. */
export function rowsOf(page: JsonObject, members: readonly string[]): readonly JsonObject[] {
  const rows = members.map((member) => page[member]).find(Array.isArray)
  return (rows ?? []).filter(isObject)
}
