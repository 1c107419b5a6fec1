// Memories as stored objects: paths, digests, and the counters of their store.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/value/tree.js'
import { type EmulatorContext, type Refusal, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, newId, requireObject, withChanges } from './objects.js'

const contentBytesMax = 102_400
const memoriesMax = 2_000

export function memoryAt({ store }: EmulatorContext, storeId: string, path: string): StoredObject | undefined {
  for (const memory of store.childrenOf('memories', storeId)) if (memory.body['path'] === path) return memory
  return undefined
}

export function memoryOf(context: EmulatorContext, params: Readonly<Record<string, string>>): StoredObject {
  const memory = requireObject(context, 'memories', params['id'])
  if (memory.parent !== params['store']) throw refuse('notFound', 'the store has no such memory')
  return memory
}

/** Creates a memory; refuses a path in use. */
export function createMemory(
  context: EmulatorContext,
  store: StoredObject,
  path: string,
  content: string,
): StoredObject {
  if (memoryAt(context, store.id, checkedPath(path))) throw pathTaken(path)
  if ([...context.store.childrenOf('memories', store.id)].length >= memoriesMax)
    throw refuse('invalid', `a store holds at most ${memoriesMax} memories`)
  const id = newId(context, 'mem')
  const memory = context.store.insert({
    id,
    collection: 'memories',
    parent: store.id,
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'memory',
      memory_store_id: store.id,
      path,
      ...facts(content),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    },
    hidden: { content },
  })
  updateCounters(context, store.id)
  return memory
}

export function updateMemory(
  context: EmulatorContext,
  memory: StoredObject,
  { path, content }: { readonly path?: string | undefined; readonly content?: string | undefined },
): StoredObject {
  const other = path === undefined ? undefined : memoryAt(context, String(memory.parent), checkedPath(path))
  if (path !== undefined && other && other.id !== memory.id) throw pathTaken(path)
  const members = { ...(path === undefined ? {} : { path }), ...(content === undefined ? {} : facts(content)) }
  const hidden = content === undefined ? memory.hidden : { content }
  const after = context.store.put({ ...withChanges(memory, context, members), hidden })
  updateCounters(context, String(memory.parent))
  return after
}

export function updateCounters({ store }: EmulatorContext, storeId: string): void {
  const current = store.find('memoryStores', storeId)
  if (!current) return
  const memories = [...store.childrenOf('memories', storeId)]
  const bytes = memories.reduce((sum, { body }) => sum + Number(body['size_bytes']), 0)
  store.put({ ...current, body: { ...current.body, memory_count: memories.length, storage_bytes: bytes } })
}

function facts(content: string): JsonObject {
  const bytes = Buffer.byteLength(content)
  if (bytes > contentBytesMax)
    throw refuse('invalid', `content: at most ${contentBytesMax} bytes`, { param: 'content' })
  return { content_sha256: createHash('sha256').update(content).digest('hex'), size_bytes: bytes }
}

function checkedPath(path: string): string {
  if (!/^\/[^/]/.test(path) || path.endsWith('/'))
    throw refuse('invalid', 'path: must start with / and name a file', { param: 'path' })
  return path
}

function pathTaken(path: string): Refusal {
  return refuse('conflict', `path: "${path}" already exists in the memory store`)
}
