// Lists: the five query parameters of a page, and two ways to request the next one.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Answer, type EmulatedRequest, refuse } from '../../emulator/contract.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { exact, isArchived } from './object.js'

const pageLimits = { start: 20, max: 100 } as const

/** Cursors that a list accepts: an id, an opaque token, or either. */
export type Cursors = 'id' | 'token' | 'both'

const byId = { after_id: Type.Optional(Type.String()), before_id: Type.Optional(Type.String()) }
const byToken = { page: Type.Optional(Type.String()) }
const size = { limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]*$' })) }
const archived = { include_archived: Type.Optional(Type.Enum(['true', 'false'])) }

/** Query of a list with additional filters. */
export const listQuery = <Filters extends Parameters<typeof Type.Object>[0]>(cursors: Cursors, filters: Filters) =>
  Type.Object(
    { ...size, ...archived, ...(cursors === 'token' ? {} : byId), ...(cursors === 'id' ? {} : byToken), ...filters },
    exact,
  )

export interface ListOptions {
  readonly cursors: Cursors
  readonly maxLimit?: number
  /** True if a limit above the maximum is lowered instead of refused. */
  readonly isClamped?: boolean
  readonly order?: 'newestFirst' | 'oldestFirst'
  /** Returns the visible form of a row. Default: its body. */
  readonly show?: (object: StoredObject) => JsonObject
}

type Query = Readonly<Record<string, unknown>>

/** Returns a page. If the knob `dialect` is `pages`, it contains no token, and clients have to continue by id. */
export function list(
  objects: Iterable<StoredObject>,
  { query, ownKnobs }: Pick<EmulatedRequest<unknown, Query>, 'query' | 'ownKnobs'>,
  options: ListOptions,
): Answer {
  const { cursors, show = ({ body }: StoredObject) => body } = options
  const token = text(query['page'])
  const afterId = text(query['after_id'])
  const beforeId = text(query['before_id'])
  if (token !== undefined && (afterId ?? beforeId) !== undefined)
    throw refuse('invalid', 'page: cannot be combined with after_id or before_id', { param: 'page' })
  const hasTokens = cursors === 'token' || (cursors === 'both' && ownKnobs['dialect'] !== 'pages')
  const shown =
    query['include_archived'] === 'true' ? [...objects] : [...objects].filter((object) => !isArchived(object))
  const order = options.order ?? 'newestFirst'
  const page = pageOf(shown, { limit: limitOf(query, options), token, afterId, beforeId, order })
  if (!page)
    throw refuse('invalid', 'the cursor was not given out by this list', { param: token ? 'page' : 'after_id' })
  return {
    body: {
      data: page.rows.map(show),
      first_id: page.firstId,
      last_id: page.lastId,
      has_more: page.hasMore,
      next_page: hasTokens ? page.nextToken : null,
    },
  }
}

function limitOf(query: Query, { maxLimit = pageLimits.max, isClamped = false }: ListOptions): number {
  const wanted = Number(query['limit'] ?? pageLimits.start)
  if (wanted > maxLimit && !isClamped) throw refuse('invalid', `limit: at most ${maxLimit}`, { param: 'limit' })
  return Math.min(wanted, maxLimit)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
