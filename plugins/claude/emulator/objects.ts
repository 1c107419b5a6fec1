// Operations common to all kinds: look-up, lists, metadata, archiving, deletion.
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { isObject } from '../../../core/value/tree.js'
import { type Answer, type EmulatorContext, refuse } from '../../emulator/contract.js'
import { changeMembers } from '../../emulator/members.js'
import { pageOf } from '../../emulator/paging.js'
import type { Store, StoredObject } from '../../emulator/store.js'

export const timeText = (ms: number): string => new Date(ms).toISOString()

export const isArchived = ({ body }: StoredObject): boolean => typeof body['archived_at'] === 'string'

/** Returns an object, archived or not. */
export function requireObject(store: Store, collection: string, id: string | undefined, parent?: string): StoredObject {
  const object = store.find(collection, id ?? '')
  if (!object || (parent !== undefined && object.parent !== parent))
    throw refuse('notFound', `${collection.replaceAll('_', ' ')} ${id} not found`)
  return object
}

/** Returns an object for writing: archived ones are read-only. */
export function live(store: Store, collection: string, id: string | undefined, code?: string): StoredObject {
  const object = requireObject(store, collection, id)
  if (isArchived(object))
    throw refuse('invalid', `${collection} ${object.id} is archived`, code === undefined ? {} : { code })
  return object
}

/** Returns an object named in a body; a missing one is an invalid request, not a missing resource. */
export function named(store: Store, collection: string, id: string, param: string): StoredObject {
  const object = store.find(collection, id)
  if (!object) throw refuse('invalid', `${param}: ${collection} ${id} not found`, { param })
  if (isArchived(object)) throw refuse('invalid', `${param}: ${collection} ${id} is archived`, { param })
  return object
}

export function withChanges(object: StoredObject, context: EmulatorContext, body: JsonObject): StoredObject {
  return { ...object, body: { ...object.body, ...body, updated_at: timeText(context.nowMs) } }
}

export function archiveObject(object: StoredObject, context: EmulatorContext): Answer {
  if (isArchived(object)) throw refuse('invalid', `${object.id} is archived already`)
  const archivedAt = timeText(context.nowMs)
  return { body: context.store.put(withChanges(object, context, { archived_at: archivedAt })).body }
}

export function removeObject(object: StoredObject, store: Store, type: string): Answer {
  store.remove(object)
  return { body: { id: object.id, type } }
}

export interface ListQuery {
  readonly limit?: string
  readonly page?: string
  readonly include_archived?: string
  readonly 'created_at[gt]'?: string
  readonly 'created_at[gte]'?: string
  readonly 'created_at[lt]'?: string
  readonly 'created_at[lte]'?: string
}

export const limitsOfLists = { limitDefault: 20, limitMax: 100 } as const

/** Returns a page, without archived objects unless requested. */
export function list(
  objects: Iterable<StoredObject>,
  query: ListQuery,
  options: {
    readonly limitMax?: number
    readonly order?: 'newestFirst' | 'oldestFirst'
    readonly show?: (object: StoredObject) => Json
  } = {},
): Answer {
  const limit = Number(query.limit ?? limitsOfLists.limitDefault)
  const limitMax = options.limitMax ?? limitsOfLists.limitMax
  if (limit > limitMax) throw refuse('invalid', `limit: must be at most ${limitMax}`, { param: 'limit' })
  const since = timeIn(query, 'created_at[gte]') ?? Number.NEGATIVE_INFINITY
  const until = timeIn(query, 'created_at[lte]') ?? Number.POSITIVE_INFINITY
  const after = timeIn(query, 'created_at[gt]') ?? Number.NEGATIVE_INFINITY
  const before = timeIn(query, 'created_at[lt]') ?? Number.POSITIVE_INFINITY
  const shown = [...objects].filter(
    (object) =>
      (query.include_archived === 'true' || !isArchived(object)) &&
      object.createdAtMs >= since &&
      object.createdAtMs <= until &&
      object.createdAtMs > after &&
      object.createdAtMs < before,
  )
  const page = pageOf(shown, { limit, token: query.page, order: options.order ?? 'newestFirst' })
  if (!page) throw refuse('invalid', 'page: not a token of this list', { param: 'page' })
  return { body: { data: page.rows.map(options.show ?? (({ body }) => body)), next_page: page.nextToken } }
}

function timeIn(query: ListQuery, name: `created_at[${'gt' | 'gte' | 'lt' | 'lte'}]`): number | undefined {
  const given = query[name]
  if (given === undefined) return undefined
  const ms = Date.parse(given)
  if (Number.isNaN(ms)) throw refuse('invalid', `${name}: not a time`, { param: name })
  return ms
}

const metadataLimits = { entriesMax: 16, keyMax: 64, valueMax: 512 } as const

/** Applies `patch`: text sets a key and null removes it; with `emptyDeletes`, "" does too. */
export function patchedMetadata(
  current: Json | undefined,
  patch: Readonly<Record<string, string | null>> | null | undefined,
  { emptyDeletes = false } = {},
): JsonObject {
  const isRemoved = (value: string | null) => value === null || (emptyDeletes && value === '')
  const metadata = changeMembers(
    isObject(current) ? current : {},
    Object.entries(patch ?? {}).map(([key, value]) => [key, isRemoved(value) ? undefined : value]),
  )
  const entries = Object.entries(metadata)
  const isTooLarge =
    entries.length > metadataLimits.entriesMax ||
    entries.some(
      ([key, value]) =>
        key.length > metadataLimits.keyMax || (typeof value === 'string' && value.length > metadataLimits.valueMax),
    )
  if (isTooLarge)
    throw refuse('invalid', 'metadata: at most 16 entries, keys of 64 and values of 512 characters', {
      code: 'invalid_metadata',
      param: 'metadata',
    })
  return metadata
}
