// Pages of a list: reads one row more than the page size, to know whether there is a next page.

import { limits } from '../limits.js'
import { invalidArg } from '../refusals/refusal.js'

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

export interface Listing<Item> {
  /** Returns rows in order, after the one with this cursor. */
  readonly from: (cursor: string | undefined) => AsyncIterable<Item>
  /** Returns the cursor of a row: internal ids only, which are opaque and stay valid when rows are added or removed. */
  readonly cursorOf: (item: Item) => string
  readonly isWanted?: (item: Item) => boolean | Promise<boolean>
  /** True for texts that `cursorOf` can return. Default: printable ASCII. */
  readonly isCursor?: (text: string) => boolean
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** A page may have fewer items than requested, or none, where few of very many rows are wanted. */
export async function pageOf<Item>(
  { limit = limits.pageSizeDefault, cursor }: PageQuery,
  { from, cursorOf, isWanted = () => true, isCursor = isPlain }: Listing<Item>,
): Promise<Page<Item>> {
  const items: Item[] = []
  let read = 0
  for await (const item of from(cursor === undefined ? undefined : decode(cursor, isCursor))) {
    read += 1
    if (!(await isWanted(item))) {
      if (read >= limits.listRowsReadMax) return { items, nextCursor: encode(cursorOf(item)) }
      continue
    }
    const last = items.at(-1)
    if (items.length === limit && last !== undefined) return { items, nextCursor: encode(cursorOf(last)) }
    items.push(item)
  }
  return { items, nextCursor: null }
}

const encode = (cursor: string): string => Buffer.from(cursor, 'utf8').toString('base64url')

const isPlain = (text: string): boolean => /^[\x21-\x7e]{1,256}$/.test(text)

function decode(text: string, isCursor: (text: string) => boolean): string {
  const cursor = Buffer.from(text, 'base64url').toString('utf8')
  if (!isCursor(cursor)) throw invalidArg('cursor was not returned by a list')
  return cursor
}
