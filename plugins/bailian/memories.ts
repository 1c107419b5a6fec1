// Memories of a store, by path. Lists show a digest of each content and never the content itself.
import { createHash } from 'node:crypto'
import type { Parts } from '../../core/plugin/handler.js'
import type { Json } from '../../core/value/tree.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import type { BailianClient } from './client.js'
import { memoryKey, memoryPath } from './memory-path.js'

const digestOfNothing = createHash('sha256').digest('hex')

export const memories = {
  name: 'entries',
  policy: ({ body }) => (body.entries_mode === 'sync' ? 'upsert' : 'once'),
  fields: { content: { digest: true } },

  desired: ({ body }) =>
    Object.fromEntries(
      (body.entries ?? []).map(({ key, content }) => [memoryKey(key), { path: memoryPath(key), content }]),
    ),
  list: ({ client, signal }, storeId) =>
    client.list(`/memory_stores/${storeId}/memories`, { signal, query: { view: 'basic', depth: 0 } }),
  key: ({ path }) => memoryKey(String(path)),
  id: ({ id }) => String(id),
  observed: ({ path, content_sha256 }) => ({
    path,
    // Empty text and absence are one to the engine.
    content: content_sha256 === digestOfNothing ? undefined : content_sha256,
  }),

  create: ({ client, signal }, storeId, { desired: { path, content } }) =>
    client.create(`/memory_stores/${storeId}/memories`, { path, content: textOf(content) }, { signal }),
  update: ({ client, signal }, storeId, { id, desired, observed }) => {
    const content_sha256 = observed['content'] ?? digestOfNothing
    // Refused as stale when somebody else has written since the list was read.
    const precondition = { type: 'content_sha256', content_sha256 }
    const body = { content: textOf(desired['content']), precondition }
    return client.update(`/memory_stores/${storeId}/memories/${id}`, body, { signal })
  },
  remove: async ({ client, signal }, storeId, id) =>
    void (await client.delete(`/memory_stores/${storeId}/memories/${id}`, { signal })),
} satisfies Parts<BailianClient, MemoryStoreBody>

function textOf(content: Json | undefined): string {
  return typeof content === 'string' ? content : ''
}
