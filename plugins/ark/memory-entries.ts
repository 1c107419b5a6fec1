// Entries of a memory store: texts by path. Lists show digests, which is all that has to be compared.
import type { Parts } from '../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import type { ArkClient } from './client.js'

export const memoryEntries: Parts<ArkClient, MemoryStoreBody> = {
  name: 'entries',
  policy: ({ body }) => (body.entries_mode === 'sync' ? 'upsert' : 'once'),
  fields: { content: { digest: true } },

  desired: ({ body }) =>
    Object.fromEntries((body.entries ?? []).map(({ key, content }) => [memoryPath(key), { content }])),
  async *list({ client, signal }, storeId) {
    for await (const entry of client.list(`/memory_stores/${storeId}/memories`, { signal }))
      if (entry['type'] !== 'memory_prefix') yield entry
  },
  key: (remote) => String(remote['path']),
  id: (remote) => String(remote['id']),
  observed: (remote) => ({ content: remote['content_sha256'] }),

  create: ({ client, signal }, storeId, { key, desired }) =>
    client.create(`/memory_stores/${storeId}/memories`, { path: key, content: desired['content'] ?? '' }, { signal }),
  update: ({ client, signal }, storeId, { id, desired }) =>
    client.update(`/memory_stores/${storeId}/memories/${id}`, { content: desired['content'] ?? '' }, { signal }),
  remove: async ({ client, signal }, storeId, id) =>
    void (await client.delete(`/memory_stores/${storeId}/memories/${id}`, { signal })),
}

/** The server's paths begin with a slash, which may be left out in agents.yaml. */
export function memoryPath(key: string): string {
  return key.startsWith('/') ? key : `/${key}`
}
