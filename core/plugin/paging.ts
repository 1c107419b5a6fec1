// Reads lists page by page.
import type { HttpResponse } from '../ports/http.js'
import { isObject, type JsonObject } from '../value/tree.js'

/** Way in which a list is split into pages. */
export interface Paging {
  /** Members of the answer that may contain the rows; the first match counts. Default `data`. */
  readonly rows?: readonly string[]
  /**
   * Returns the query of the next page, or undefined after the last one. A page without rows may lead on. `headers` are
   * those of the answer.
   */
  next(
    page: JsonObject,
    rows: readonly JsonObject[],
    headers: HttpResponse['headers'],
  ): Readonly<Record<string, string>> | undefined
  readonly limit?: number
}

/** Paging by `next_page` in the answer and `page` in the query. */
export const pageTokenPaging: Paging = {
  next: (page) =>
    typeof page['next_page'] === 'string' && page['next_page'] ? { page: page['next_page'] } : undefined,
  limit: 100,
}

/** Paging by the header `Link`, whose address with `rel="next"` contains the query of the next page (RFC 8288). */
export const linkPaging: Paging = {
  next(_page, _rows, headers) {
    const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g)
    const next = [...links].find(([, , parameters = '']) => /;\s*rel="?next\b/i.test(parameters))?.[1]
    if (next === undefined) return undefined
    return Object.fromEntries(new URL(next, 'http://localhost').searchParams)
  },
}

/** Returns the rows of a page, from the first of these members that has any. */
export function rowsOf(page: JsonObject, members: readonly string[]): readonly JsonObject[] {
  const rows = members.map((member) => page[member]).find(Array.isArray)
  return (rows ?? []).filter(isObject)
}
