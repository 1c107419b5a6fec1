// Members common to all responses of this API.
import type { Call, Remote } from '../../core/plugin/handler.js'
import { item, collection as sharedCollection } from '../shared/collection.js'
import type { BailianClient } from './client.js'

/** Returns the members that handlers of most collections share. */
export const collection = (path: string) =>
  ({ ...sharedCollection<BailianClient>(path), isGone: isArchived, createdAtMs }) as const

/** Removal from collections whose objects are archived for good. */
export const archival = (path: string) =>
  ({
    remove: async ({ client, signal }: Call<BailianClient>, id: string): Promise<void> =>
      void (await client.update(`${item(path, id)}/archive`, {}, { signal })),
    removal: 'archive',
  }) as const

/** True for archived objects, which can still be read by id. */
export const isArchived = (remote: Remote): boolean => Boolean(remote['archived_at'])

export function createdAtMs(remote: Remote): number | undefined {
  const createdAt = remote['created_at']
  const ms = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

/** Returns the object's display name. */
export function calledName({ name, display_name }: Remote): string | undefined {
  const called = name ?? display_name
  return typeof called === 'string' && called !== '' ? called : undefined
}
