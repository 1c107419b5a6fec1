// Operations of routes on stored objects: find, create, change, archive, list.
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { type Answer, type EmulatorContext, refuse } from '../../emulator/contract.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { metadataEntriesMax } from './schema.js'

export const iso = (ms: number): string => new Date(ms).toISOString()

export function found({ store }: EmulatorContext, collection: string, id: string | undefined): StoredObject {
  const object = id === undefined ? undefined : store.find(collection, id)
  if (!object) throw refuse('notFound', `${id}: there is no such object in this workspace`)
  return object
}

export interface ObjectDraft {
  readonly collection: string
  readonly id: string
  readonly type: string
  readonly members: JsonObject
  readonly parent?: string
  readonly hidden?: JsonObject
}

/** Creates an object with the members that all objects have. */
export function make({ store, nowMs }: EmulatorContext, making: ObjectDraft): StoredObject {
  const { collection, id, type, members, parent, hidden } = making
  const now = iso(nowMs)
  return store.insert({
    id,
    collection,
    createdAtMs: nowMs,
    body: { id, type, ...members, archived_at: null, created_at: now, updated_at: now },
    ...(parent === undefined ? {} : { parent }),
    ...(hidden === undefined ? {} : { hidden }),
  })
}

/** Merges members; those that a request lacks keep their values. */
export function merged(context: EmulatorContext, current: StoredObject, members: JsonObject): StoredObject {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return context.store.put(touched({ ...current, body: { ...current.body, ...Object.fromEntries(given) } }, context))
}

export function touched(object: StoredObject, { nowMs }: EmulatorContext): StoredObject {
  return { ...object, body: { ...object.body, updated_at: iso(nowMs) } }
}

export const isArchived = ({ body }: StoredObject): boolean => Boolean(body['archived_at'])

export function refuseArchived(object: StoredObject, code = 'conflict_error'): void {
  if (isArchived(object)) throw refuse('conflict', `${object.id} is archived`, { code })
}

export function archive(context: EmulatorContext, object: StoredObject): Answer {
  if (isArchived(object)) return { body: object.body }
  return { body: merged(context, object, { archived_at: iso(context.nowMs) }).body }
}

export function remove({ store }: EmulatorContext, object: StoredObject): Answer {
  store.remove(object)
  return { body: { id: object.id, type: `${String(object.body['type'])}_deleted` } }
}

export interface ListRequest {
  readonly limit?: string
  readonly page?: string
  readonly include_archived?: string
}

export function listed(objects: Iterable<StoredObject>, query: ListRequest): Answer {
  const shown = [...objects].filter((object) => query.include_archived === 'true' || !isArchived(object))
  const page = pageOf(shown, { limit: Number(query.limit ?? 20), token: query.page })
  if (!page) throw refuse('invalid', 'page: not a page that was handed out')
  return { body: { data: page.rows.map(({ body }): Json => body), next_page: page.nextToken } }
}

export function checkedMetadata<Value extends JsonObject>(metadata: Value | undefined): Value | undefined {
  if (metadata && Object.keys(metadata).length > metadataEntriesMax)
    throw refuse('invalid', `metadata: at most ${metadataEntriesMax} entries`)
  return metadata
}
