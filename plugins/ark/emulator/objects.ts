// Operations of routes on stored objects: find, name, patch, list, touch.
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Answer, type EmulatorContext, refuse } from '../../emulator/contract.js'
import { changeMembers } from '../../emulator/members.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { Exact, type Metadata } from './schema.js'

const pageSize = { default: 20, max: 100 } as const

/** Returns a new id such as `agent-20261121093000-x1Y2z`. */
export function newId({ store, nowMs }: EmulatorContext, prefix: string): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return store.newId(`${prefix}-${stamp}-`, 5)
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

export function requireObject({ store }: EmulatorContext, collection: string, id: string | undefined): StoredObject {
  const object = id === undefined ? undefined : store.find(collection, id)
  if (!object) throw refuse('notFound', `the requested resource ${id} is not found`)
  return object
}

/** Returns the object with changed members and its update time set. */
export function withChanges(object: StoredObject, context: EmulatorContext, members: JsonObject): StoredObject {
  return touched({ ...object, body: { ...object.body, ...members } }, context)
}

export function touched(object: StoredObject, { nowMs }: EmulatorContext): StoredObject {
  return { ...object, body: { ...object.body, updated_at: iso(nowMs) } }
}

/** Returns the metadata with the sent keys set; others stay. */
export function patchedMetadata(current: Json | undefined, sent: Metadata, { ownKnobs }: EmulatorContext): JsonObject {
  const isIgnored = (value: unknown) => value === null && ownKnobs['ignoresNullInMetadata'] === true
  const changes = Object.entries(sent).filter(([, value]) => !isIgnored(value))
  return changeMembers(
    isObject(current) ? current : {},
    changes.map(([key, value]) => [key, value ?? undefined]),
  )
}

/** Query members of every list with opaque pages. */
export const pageQuery = {
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
  page: Type.Optional(Type.String()),
} as const
export const PageQuery = Exact(pageQuery)

export interface PageRequest {
  readonly limit?: string
  readonly page?: string
  readonly order?: 'asc' | 'desc'
}

/** Returns a page; `rows`: name of the member that contains its rows. */
export function listAnswer(objects: Iterable<StoredObject>, query: PageRequest, rows = 'data'): Answer {
  const page = pageOf(objects, {
    limit: limitOf(query),
    token: query.page,
    order: query.order === 'asc' ? 'oldestFirst' : 'newestFirst',
  })
  if (!page) throw refuse('invalid', 'page: not a page token', { param: 'page' })
  return {
    body: {
      [rows]: page.rows.map(({ body }) => body),
      ...(page.nextToken === null ? {} : { next_page: page.nextToken }),
    },
  }
}

export function limitOf({ limit }: { readonly limit?: string }): number {
  return Math.min(Number(limit ?? pageSize.default), pageSize.max)
}
