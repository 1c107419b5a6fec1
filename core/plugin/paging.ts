// How lists are read page by page.
import { isObject, type JsonObject } from '../value/tree.js'

/** How a list hands out its pages. */
export interface Paging {
  /** Members of the answer that may hold the rows, first match wins. Default `data`. */
  readonly rows?: readonly string[]
  /** The query of the next page, or undefined when this was the last. */
  next(page: JsonObject, rows: readonly JsonObject[]): Readonly<Record<string, string>> | undefined
  readonly limit?: number
}

/** `next_page` answers go on with `page`. */
export const pageTokenPaging: Paging = {
  next: (page) =>
    typeof page['next_page'] === 'string' && page['next_page'] ? { page: page['next_page'] } : undefined,
  limit: 100,
}

/** The rows of a page, from the first of these members that holds some. */
export function rowsOf(page: JsonObject, members: readonly string[]): readonly JsonObject[] {
  const rows = members.map((member) => page[member]).find(Array.isArray)
  return (rows ?? []).filter(isObject)
}
