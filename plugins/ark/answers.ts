// Members common to all responses of this API.
import type { Remote } from '../../core/plugin/handler.js'
import { collection as sharedCollection } from '../shared/collection.js'
import type { ArkClient } from './client.js'

/** Returns the members that handlers of most collections share. */
export const collection = (path: string) => ({ ...sharedCollection<ArkClient>(path), createdAtMs }) as const

/** Returns the object's display name. */
export function calledName({ name }: Remote): string | undefined {
  return typeof name === 'string' ? name : undefined
}

/** Parses creation times: RFC 3339 text, but Unix seconds for files and skills. */
export function createdAtMs(remote: Remote): number | undefined {
  const createdAt = remote['created_at']
  const ms =
    typeof createdAt === 'number'
      ? createdAt * 1000
      : typeof createdAt === 'string'
        ? Date.parse(createdAt)
        : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}
