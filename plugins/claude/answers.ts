// Members common to all responses of this API.
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import type { Outputs } from '../../core/plugin/scope.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { type ClaudeClient, paging } from './client.js'

export const idOutput = (remote: Remote): Outputs => ({ id: String(remote['id']) })

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

export const item = (collection: string, id: string): string => `${collection}/${pathSegment(id)}`

/** Returns the four calls that differ only in the collection. */
export function calls(collection: string) {
  return {
    read: ({ client, signal }: Call<ClaudeClient>, id: string) => client.get(item(collection, id), { signal }),
    create: ({ client, signal }: Call<ClaudeClient>, body: JsonObject) => client.create(collection, body, { signal }),
    update: ({ client, signal }: Call<ClaudeClient>, id: string, body: JsonObject) =>
      client.update(item(collection, id), body, { signal }),
    remove: async ({ client, signal }: Call<ClaudeClient>, id: string) =>
      void (await client.delete(item(collection, id), { signal })),
    list: ({ client, signal }: Call<ClaudeClient>) => client.list(collection, { signal }, paging),
  }
}

/**
 * Returns the removal of kinds without a delete call: they are archived. An object that is archived already refuses the
 * call.
 */
export function archiver(collection: string) {
  return async ({ client, signal }: Call<ClaudeClient>, id: string): Promise<void> => {
    try {
      await client.update(`${item(collection, id)}/archive`, {}, { signal })
    } catch (error) {
      if (!isFailure(error, 'invalid') || !isArchived(await client.get(item(collection, id), { signal }))) throw error
    }
  }
}

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []
