// Pages of a list. They are stable while objects are added and removed, because a cursor contains a position in the
// order instead of an offset.
import type { StoredObject } from './store.js'

export interface PageRequest {
  readonly limit: number
  /** Token of a previous page; the new page begins after it. */
  readonly token?: string | undefined
  /** Id of the object after which the page begins, or before which it ends (`beforeId`). */
  readonly afterId?: string | undefined
  readonly beforeId?: string | undefined
  readonly order?: 'newestFirst' | 'oldestFirst'
}

export interface Page {
  readonly rows: readonly StoredObject[]
  readonly hasMore: boolean
  /** Token of the next page; null on the last one. */
  readonly nextToken: string | null
  readonly firstId: string | null
  readonly lastId: string | null
}

/** Returns a page; null for an unknown token or id, for which each provider has an error of its own. */
export function pageOf(objects: Iterable<StoredObject>, request: PageRequest): Page | null {
  const sorted = [...objects].sort((a, b) => b.sequence - a.sequence)
  if (request.order === 'oldestFirst') sorted.reverse()
  const isAfter = (row: StoredObject, place: number) =>
    request.order === 'oldestFirst' ? row.sequence > place : row.sequence < place
  let rows: readonly StoredObject[] = sorted
  if (request.token !== undefined) {
    const place = placeOf(request.token)
    if (place === null) return null
    rows = rows.filter((row) => isAfter(row, place))
  }
  if (request.afterId !== undefined) {
    const anchor = sorted.findIndex(({ id }) => id === request.afterId)
    if (anchor < 0) return null
    rows = sorted.slice(anchor + 1)
  }
  if (request.beforeId !== undefined) {
    const anchor = sorted.findIndex(({ id }) => id === request.beforeId)
    if (anchor < 0) return null
    rows = sorted.slice(Math.max(0, anchor - request.limit), anchor)
  }
  const page = rows.slice(0, request.limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length
  return {
    rows: page,
    hasMore,
    nextToken: hasMore && last ? tokenOf(last) : null,
    firstId: page[0]?.id ?? null,
    lastId: last?.id ?? null,
  }
}

function tokenOf(last: StoredObject): string {
  return `page_${Buffer.from(`after:${last.sequence}`).toString('base64url')}`
}

function placeOf(token: string): number | null {
  if (!token.startsWith('page_')) return null
  const match = /^after:(\d+)$/.exec(Buffer.from(token.slice('page_'.length), 'base64url').toString())
  return match ? Number(match[1]) : null
}
