// Emulated memories: only a single read returns the content, and there are no versions: the last write wins.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, Refusal, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { MemoryListQuery, memoryList } from './memory-list.js'
import { createMemory, memoryAt, memoryOf, updateCounters, updateMemory } from './memory-objects.js'
import { requireObject, touched } from './objects.js'
import { Exact, Maybe } from './schema.js'

const Item = Exact({ path: Type.String(), content: Type.String() })
const Batch = Exact({
  items: Type.Array(Item, { minItems: 1 }),
  on_conflict: Maybe(Type.Enum(['overwrite', 'fail'])),
})
const Update = Exact({ path: Maybe(Type.String()), content: Maybe(Type.String()) })

const path = '/memory_stores/:store/memories'

export const memories: Collection = { kind: 'memory', isTopLevel: false, isPermanent: false, touched }

export const memoryRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path,
    body: Item,
    handle(request) {
      const store = requireObject(request, 'memoryStores', request.params['store'])
      return { body: createMemory(request, store, request.body.path, request.body.content).body }
    },
  }),
  route({
    method: 'POST',
    path: `${path}/batch_create`,
    body: Batch,
    handle(request) {
      const store = requireObject(request, 'memoryStores', request.params['store'])
      return { body: { results: request.body.items.map((item) => batchResult(request, store, item, request.body)) } }
    },
  }),
  route({
    method: 'GET',
    path,
    query: MemoryListQuery,
    handle(request) {
      const store = requireObject(request, 'memoryStores', request.params['store'])
      return memoryList(request.store.childrenOf('memories', store.id), request.query)
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    handle(request) {
      const { body, hidden } = memoryOf(request, request.params)
      return { body: { ...body, content: hidden['content'] } }
    },
  }),
  route({
    method: 'POST',
    path: `${path}/:id`,
    body: Update,
    handle(request) {
      const { path: to, content } = request.body
      if (to == null && content == null) throw refuse('invalid', 'path or content is required')
      const memory = memoryOf(request, request.params)
      return { body: updateMemory(request, memory, { path: to ?? undefined, content: content ?? undefined }).body }
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    handle(request) {
      const memory = memoryOf(request, request.params)
      request.store.remove(memory)
      updateCounters(request, String(memory.parent))
      return { body: { id: memory.id, type: 'memory_deleted' } }
    },
  }),
]

/** Returns the result of a batch, whose items succeed or fail independently. */
function batchResult(
  context: EmulatorContext,
  store: StoredObject,
  item: Static<typeof Item>,
  { on_conflict }: Static<typeof Batch>,
): JsonObject {
  try {
    const current = on_conflict === 'overwrite' ? memoryAt(context, store.id, item.path) : undefined
    const memory = current
      ? updateMemory(context, current, { content: item.content })
      : createMemory(context, store, item.path, item.content)
    return { path: item.path, memory: memory.body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { path: item.path, error: { type: error.refused.kind, message: error.message } }
  }
}
