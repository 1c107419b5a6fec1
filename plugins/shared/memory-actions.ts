// Actions on the entries of a memory store. Entries are read by id, which only the list contains.
import type { MemoryActions, MemoryEntry } from '../../core/plugin/actions.js'
import type { ApiClient } from '../../core/plugin/client.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import type { Paging } from '../../core/plugin/paging.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import { type Entries, entryPath } from './memory-entries.js'
import { memoryKey, memoryPath } from './memory-path.js'

export function memoryActions<Client extends ApiClient>(entries: Entries<Client>): MemoryActions<Client> {
  const find = async (call: Call<Client>, storeId: string, path: string): Promise<Remote | undefined> => {
    for await (const remote of entries.list(call, storeId)) if (entries.key(remote) === memoryKey(path)) return remote
    return undefined
  }
  return {
    async *list(call, storeId, prefix = '') {
      for await (const remote of entries.list(call, storeId))
        if (entries.key(remote).startsWith(memoryKey(prefix))) yield entryOf(remote)
    },
    async read(call, storeId, path) {
      const current = await find(call, storeId, path)
      return current && entryOf(await call.client.get(entryPath(storeId, entries.id(current)), { signal: call.signal }))
    },
    async put(call, storeId, path, content) {
      const current = await find(call, storeId, path)
      const part = { key: memoryKey(path), desired: { path: memoryPath(path), content } }
      if (!current) return entryOf(await entries.create(call, storeId, part))
      const found = { id: entries.id(current), observed: entries.observed(current), remote: current }
      const update = { ...part, ...found, changes: [] }
      return entryOf(await entries.update(call, storeId, update))
    },
    async remove(call, storeId, path) {
      const current = await find(call, storeId, path)
      if (current) await entries.remove(call, storeId, entries.id(current))
      return current !== undefined
    },
  }
}

/** Actions of APIs that keep a history of each store. */
export function memoryVersions<Client extends ApiClient>(
  paging?: Paging,
  collection = 'memory_versions',
): NonNullable<MemoryActions<Client>['versions']> {
  return async function* ({ client, signal }, storeId, path) {
    const url = `/memory_stores/${pathSegment(storeId)}/${collection}`
    for await (const version of client.list(url, { signal }, paging))
      if (path === undefined || memoryKey(String(version['path'])) === memoryKey(path)) yield version
  }
}

function entryOf({ id, path, content_sha256, content_size_bytes, size_bytes, content }: Remote): MemoryEntry {
  const size = content_size_bytes ?? size_bytes
  return {
    id: String(id),
    path: memoryKey(String(path)),
    ...(typeof content_sha256 === 'string' ? { sha256: content_sha256 } : {}),
    ...(typeof size === 'number' ? { sizeBytes: size } : {}),
    ...(typeof content === 'string' ? { content } : {}),
  }
}
