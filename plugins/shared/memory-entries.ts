// Entries of a memory store, by path. Lists contain a digest of each content instead of the content, which suffices for
// comparison (agent configuration 2.8).
import { createHash } from 'node:crypto'
import type { ApiClient } from '../../core/plugin/client.js'
import type { RequestOptions } from '../../core/plugin/client-options.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Parts } from '../../core/plugin/handler.js'
import type { Paging } from '../../core/plugin/paging.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { memoryKey, memoryPath } from './memory-path.js'
import { textOf } from './wire.js'

/** Differences between the APIs. */
export interface EntriesApi {
  /** Query parameters of a list, besides those of paging. */
  readonly listed?: RequestOptions['query']
  readonly paging?: Paging
  /**
   * Returns the guard of a write: the digest of the content it replaces, so that the API refuses it as stale after
   * another client's write.
   */
  guard?(contentSha256: Json): JsonObject
  /** Formats a path. Default: with a leading slash. */
  path?(key: string): string
}

/** Returns the guard in the form of most APIs. */
export function precondition(content_sha256: Json): JsonObject {
  return { precondition: { type: 'content_sha256', content_sha256 } }
}

export type Entries<Client> = Parts<Client, MemoryStoreBody> & Required<Pick<Parts<Client, MemoryStoreBody>, 'update'>>

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const digestOfNothing = digestOf('')

export function memoryEntries<Client extends ApiClient>({
  listed,
  paging,
  guard,
  path: pathOf = memoryPath,
}: EntriesApi): Entries<Client> {
  return {
    name: 'entries',
    policy: ({ body }) => (body.entries_mode === 'sync' ? 'upsert' : 'once'),
    fields: { content: { digest: true } },

    // The path is compared too, so that an entry without content does not count as missing.
    desired: ({ body }) =>
      Object.fromEntries(
        (body.entries ?? []).map(({ key, content }) => [memoryKey(key), { path: pathOf(memoryKey(key)), content }]),
      ),
    async *list({ client, signal }, storeId) {
      const options = { signal, ...(listed === undefined ? {} : { query: listed }) }
      for await (const entry of client.list(entriesPath(storeId), options, paging))
        if (entry['type'] !== 'memory_prefix') yield entry
    },
    key: ({ path }) => memoryKey(String(path)),
    id: ({ id }) => String(id),
    observed: ({ path, content_sha256 }) => ({
      path: pathOf(memoryKey(String(path))),
      // The engine treats an empty text as absent, so this entry would be missing.
      content: content_sha256 === digestOfNothing ? undefined : content_sha256,
    }),

    create: ({ client, signal }, storeId, { key, desired }) =>
      client.create(entriesPath(storeId), { path: pathOf(key), content: textOf(desired['content']) }, { signal }),
    async update({ client, signal }, storeId, { id, desired, observed }) {
      const content = textOf(desired['content'])
      const guarded = guard?.(observed['content'] ?? digestOfNothing) ?? {}
      try {
        return await client.update(entryPath(storeId, id), { content, ...guarded }, { signal })
      } catch (error) {
        if (!isFailure(error, 'stale')) throw error
        // If the response to a write was lost, the repeated request finds the entry as it should be.
        const now = await client.get(entryPath(storeId, id), { signal })
        if (now['content_sha256'] !== digestOf(content)) throw error
        return now
      }
    },
    remove: async ({ client, signal }, storeId, id) => void (await client.delete(entryPath(storeId, id), { signal })),
  }
}

export function entryPath(storeId: string, id: string): string {
  return `${entriesPath(storeId)}/${pathSegment(id)}`
}

function entriesPath(storeId: string): string {
  return `/memory_stores/${pathSegment(storeId)}/memories`
}
