// Mounts of emulated sessions: copies of files, and memory stores, which are fixed at creation.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { availableFile } from './files.js'
import { iso, listObjects, refuseArchived, requireObject } from './objects.js'
import { Exact, ListQuery, Maybe } from './schema.js'

const path = '/sessions/:session/resources'
const memoryStoresMax = 8

const File = Exact({
  type: Type.Literal('file'),
  file_id: Type.String({ minLength: 1 }),
  mount_path: Type.String({ minLength: 1 }),
})
const MemoryStore = Exact({
  type: Type.Literal('memory_store'),
  memory_store_id: Type.String({ minLength: 1 }),
  access: Maybe(Type.Enum(['read_write', 'read_only'])),
  instructions: Maybe(Type.String({ maxLength: 4096 })),
})
export const SessionResource = Type.Union([File, MemoryStore])
type SessionResource = Static<typeof SessionResource>

export const sessionResources: Collection = { kind: 'session_resource', isTopLevel: false, isPermanent: false }

export const sessionResourceRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path,
    body: SessionResource,
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['session'])
      refuseArchived(session)
      if (request.body.type === 'memory_store') throw refuse('invalid', 'memory stores are mounted at the start only')
      const [mounted] = mount(request, session.id, [request.body])
      return { body: mounted?.body ?? {} }
    },
  }),
  route({
    method: 'GET',
    path,
    query: ListQuery,
    handle(request) {
      const { id } = requireObject(request, 'sessions', request.params['session'])
      return listObjects(request.store.childrenOf('session_resources', id), request.query)
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    handle: (request) => ({ body: resource(request, request.params).body }),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    handle(request) {
      const current = resource(request, request.params)
      if (current.body['type'] === 'memory_store') throw refuse('invalid', 'memory stores stay mounted')
      request.store.remove(current)
      return { body: { id: current.id, type: 'session_resource_deleted' } }
    },
  }),
]

/** Mounts all resources, or none if one cannot be mounted. */
export function mount(
  context: EmulatorContext,
  sessionId: string,
  resources: readonly SessionResource[],
): readonly StoredObject[] {
  const stores = resources.flatMap((item) => (item.type === 'memory_store' ? [item.memory_store_id] : []))
  if (new Set(stores).size !== stores.length) throw refuse('invalid', 'resources: a memory store is mounted twice')
  if (stores.length > memoryStoresMax) throw refuse('invalid', `resources: at most ${memoryStoresMax} memory stores`)
  const mounted = resources.map((item) => (item.type === 'file' ? fileMount(context, item) : storeMount(context, item)))
  return mounted.map((members) => {
    const id = context.store.newId('sesrsc_', 26)
    const now = iso(context.nowMs)
    const body = { id, ...members, created_at: now, updated_at: now }
    return context.store.insert({
      id,
      collection: 'session_resources',
      parent: sessionId,
      createdAtMs: context.nowMs,
      body,
    })
  })
}

function resource(context: EmulatorContext, params: Readonly<Record<string, string>>): StoredObject {
  const object = requireObject(context, 'session_resources', params['id'])
  if (object.parent !== params['session']) throw refuse('notFound', 'not in this session')
  return object
}

/** Mounts a copy of the file with an id of its own. */
function fileMount(context: EmulatorContext, { file_id, mount_path }: Static<typeof File>): JsonObject {
  availableFile(context, file_id)
  const shown = mount_path.startsWith('/uploads/') ? `/mnt/session${mount_path}` : mount_path
  if (!shown.startsWith('/mnt/')) throw refuse('invalid', 'mount_path must start with /uploads/ or /mnt/')
  return { type: 'file', file_id: context.store.newId('file_', 24), mount_path: shown }
}

function storeMount(context: EmulatorContext, mounting: Static<typeof MemoryStore>): JsonObject {
  const { memory_store_id, access = 'read_write', instructions = null } = mounting
  const store = requireObject(context, 'memory_stores', memory_store_id)
  refuseArchived(store)
  const { name, description } = store.body
  return {
    type: 'memory_store',
    file_id: null,
    memory_store_id,
    name,
    description,
    access,
    instructions,
    mount_path: `/mnt/memory/${String(name)}`,
  }
}
