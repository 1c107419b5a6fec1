// Reads the members that responses of all kinds share, and drops those that the server adds.

import type { Remote } from '../../core/plugin/handler.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import type { JsonObject } from '../../core/value/tree.js'
import { objectOf, textOf } from '../shared/wire.js'
import { problem } from './problems.js'

/** Metadata key that the forward API writes itself. */
export const createdBy = 'created_by'
export const serverMetadata: ReadonlyMap<string, string> = new Map([[createdBy, 'forward']])

/** Names of the id in older and newer responses, in order of preference. */
const idMembers = ['id', 'file_id'] as const

export function idOf(remote: Remote): string {
  for (const member of idMembers) {
    const id = remote[member]
    if (typeof id === 'string' && id !== '') return id
  }
  throw problem('qoder.answer-without-id', {
    detail: 'The answer has an object without an "id", so it cannot be recorded.',
  })
}

/** Returns the path of an object, `/environments/env_01`, with escaped ids. */
export function item(collection: string, ...ids: readonly string[]): string {
  return [collection, ...ids.map(pathSegment)].join('/')
}

export function metadataOf(remote: Remote): JsonObject {
  const entries = Object.entries(objectOf(remote['metadata']))
  return Object.fromEntries(entries.filter(([key, value]) => serverMetadata.get(key) !== value))
}

/** True for archived objects: they can still be read but count as removed. */
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
