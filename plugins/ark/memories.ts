// What people do with the entries of a memory store. There are no versions: the last write wins.
import type { MemoryActions, MemoryEntry } from '../../core/plugin/actions.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import type { ArkClient } from './client.js'
import { memoryEntries, memoryPath } from './memory-entries.js'

export const memories: MemoryActions<ArkClient> = {
  async *list(call, storeId, prefix) {
    for await (const remote of listed(call, storeId, prefix)) yield entryOf(remote)
  },
  async read(call, storeId, path) {
    const held = await find(call, storeId, path)
    return held && entryOf(await call.client.get(memoryUrl(storeId, held), { signal: call.signal }))
  },
  async put(call, storeId, path, content) {
    const held = await find(call, storeId, path)
    const written = held
      ? await call.client.update(memoryUrl(storeId, held), { content }, { signal: call.signal })
      : await memoryEntries.create(call, storeId, { key: memoryPath(path), desired: { content } })
    return entryOf(written)
  },
  async remove(call, storeId, path) {
    const held = await find(call, storeId, path)
    if (held) await memoryEntries.remove(call, storeId, memoryEntries.id(held))
    return held !== undefined
  },
}

async function* listed({ client, signal }: Call<ArkClient>, storeId: string, prefix = ''): AsyncIterable<Remote> {
  const query = { path_prefix: memoryPath(prefix) }
  for await (const remote of client.list(`/memory_stores/${storeId}/memories`, { signal, query }))
    if (remote['type'] !== 'memory_prefix') yield remote
}

/** Memories are read by id alone, which the list tells. */
async function find(call: Call<ArkClient>, storeId: string, path: string): Promise<Remote | undefined> {
  for await (const remote of listed(call, storeId, path)) if (remote['path'] === memoryPath(path)) return remote
  return undefined
}

function memoryUrl(storeId: string, memory: Remote): string {
  return `/memory_stores/${storeId}/memories/${memoryEntries.id(memory)}`
}

function entryOf({ id, path, content_sha256, size_bytes, content }: Remote): MemoryEntry {
  return {
    id: String(id),
    path: String(path).replace(/^\//, ''),
    ...(typeof content_sha256 === 'string' ? { sha256: content_sha256 } : {}),
    ...(typeof size_bytes === 'number' ? { sizeBytes: size_bytes } : {}),
    ...(typeof content === 'string' ? { content } : {}),
  }
}
