// Members common to all responses of this API.
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import { item, collection as sharedCollection } from '../shared/collection.js'
import { type ClaudeClient, paging } from './client.js'

/** Returns the members that handlers of most collections share. */
export const collection = (path: string) =>
  ({ ...sharedCollection<ClaudeClient>(path, paging), isGone: isArchived, createdAtMs }) as const

export function createdAtMs(remote: Remote): number | undefined {
  const ms = Date.parse(String(remote['created_at']))
  return Number.isFinite(ms) ? ms : undefined
}

/** Returns the object's display name. */
export function calledName({ name }: Remote): string | undefined {
  return typeof name === 'string' ? name : undefined
}

/** True for archived objects, which lists omit but reads return. */
export const isArchived = (remote: Remote): boolean => typeof remote['archived_at'] === 'string'

/** Removal from collections without a deletion. An object that is archived already refuses the call. */
export const archival = (path: string) =>
  ({
    async remove({ client, signal }: Call<ClaudeClient>, id: string): Promise<void> {
      try {
        await client.update(`${item(path, id)}/archive`, {}, { signal })
      } catch (error) {
        if (!isFailure(error, 'invalid') || !isArchived(await client.get(item(path, id), { signal }))) throw error
      }
    },
    removal: 'archive',
  }) as const
