// Reading answers of this API: what every kind of object has, without what the server adds on its own.

import type { Remote } from '../../core/plugin/handler.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import { isObject } from '../../core/value/tree.js'
import { problem } from './problems.js'

/** Metadata that the forward API writes itself. */
export const createdBy = 'created_by'
export const serverMetadata: ReadonlyMap<string, string> = new Map([[createdBy, 'forward']])

/** Names that people gave to `id` over time, the first one found wins. */
const idMembers = ['id', 'file_id'] as const

export function idOf(remote: Remote): string {
  for (const member of idMembers) {
    const id = remote[member]
    if (typeof id === 'string' && id !== '') return id
  }
  throw problem('qoder.answer-without-id', {
    detail: 'An object came back that has no "id", so it cannot be recorded.',
  })
}

/** `/environments/env_01`; an id that somebody typed cannot lead elsewhere. */
export function item(collection: string, ...ids: readonly string[]): string {
  return [collection, ...ids.map(pathSegment)].join('/')
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function arrayOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return arrayOf(value).filter(isObject)
}

export function textsOf(value: Json | undefined): readonly string[] {
  return arrayOf(value).filter((item) => typeof item === 'string')
}

export function metadataOf(remote: Remote): JsonObject {
  const entries = Object.entries(objectOf(remote['metadata']))
  return Object.fromEntries(entries.filter(([key, value]) => serverMetadata.get(key) !== value))
}

/** An archived object can still be read, but for us it is gone. */
export function isArchived(remote: Remote): boolean {
  return textOf(remote['archived_at']) !== '' || remote['status'] === 'archived' || remote['archived'] === true
}

export function createdAtMs(remote: Remote): number | undefined {
  const time = Date.parse(textOf(remote['created_at']))
  return Number.isNaN(time) ? undefined : time
}

export function isEnabled({ enabled }: JsonObject): boolean {
  return enabled !== false
}
