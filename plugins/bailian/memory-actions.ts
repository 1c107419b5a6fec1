// What people do with the memories of a store. Writes name the content they replace, so that none is lost unseen.
import type { MemoryActions, MemoryEntry } from '../../core/plugin/actions.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import type { BailianClient } from './client.js'
import { memories } from './memories.js'
import { memoryKey, memoryPath } from './memory-path.js'

export const memoryActions: MemoryActions<BailianClient> = {
  async *list(call, storeId, prefix = '') {
    for await (const remote of memories.list(call, storeId))
      if (memories.key(remote).startsWith(memoryKey(prefix))) yield entryOf(remote)
  },
  async read(call, storeId, path) {
    const held = await find(call, storeId, path)
    if (!held) return undefined
    const id = memories.id(held)
    return entryOf(await call.client.get(`/memory_stores/${storeId}/memories/${id}`, { signal: call.signal }))
  },
  async put(call, storeId, path, content) {
    const held = await find(call, storeId, path)
    const part = { key: memoryKey(path), desired: { path: memoryPath(path), content }, changes: [] }
    if (!held) return entryOf(await memories.create(call, storeId, part))
    const update = { ...part, id: memories.id(held), observed: memories.observed(held) }
    return entryOf(await memories.update(call, storeId, update))
  },
  async remove(call, storeId, path) {
    const held = await find(call, storeId, path)
    if (held) await memories.remove(call, storeId, memories.id(held))
    return held !== undefined
  },
  async *versions({ client, signal }, storeId, path) {
    for await (const version of client.list(`/memory_stores/${storeId}/memory_versions`, { signal }))
      if (path === undefined || memories.key(version) === memoryKey(path)) yield version
  },
}

/** Memories are read by id alone, which the list tells. */
async function find(call: Call<BailianClient>, storeId: string, path: string): Promise<Remote | undefined> {
  for await (const remote of memories.list(call, storeId)) if (memories.key(remote) === memoryKey(path)) return remote
  return undefined
}

function entryOf({ id, path, content_sha256, content_size_bytes, content }: Remote): MemoryEntry {
  return {
    id: String(id),
    path: memoryKey(String(path)),
    ...(typeof content_sha256 === 'string' ? { sha256: content_sha256 } : {}),
    ...(typeof content_size_bytes === 'number' ? { sizeBytes: content_size_bytes } : {}),
    ...(typeof content === 'string' ? { content } : {}),
  }
}
