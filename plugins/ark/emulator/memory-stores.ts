// Emulated memory stores. Names may repeat, deletion is final, and counters are maintained.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, listAnswer, newId, pageQuery, patchedMetadata, requireObject, touched, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, Maybe, Metadata, presentMembers } from './schema.js'

const Name = Type.String({ minLength: 1 })
const Create = Exact({ name: Name, description: Maybe(Type.String()), metadata: Maybe(Metadata) })
const Update = Exact({ name: Maybe(Name), description: Maybe(Type.String()), metadata: Maybe(Metadata) })
const List = Exact({ ...pageQuery, name: Type.Optional(Type.String()), created_by: Type.Optional(Type.String()) })

const owner = { type: 'user_actor', user_id: 'emulator' } as const

export const memoryStores: Collection = {
  kind: 'memory_store',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: Create, defaults: { name: 'Seeded' }, create }),
}

export const memoryStoreRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/memory_stores', collection: 'memoryStores', verbs: ['read', 'delete'] }),
  route({
    method: 'POST',
    path: '/memory_stores',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/memory_stores',
    query: List,
    handle({ store, query }) {
      const { name, created_by = owner.user_id } = query
      const fitting = [...store.all('memoryStores')].filter(
        ({ body }) => (name ?? body['name']) === body['name'] && created_by === owner.user_id,
      )
      return listAnswer(fitting, query)
    },
  }),
  route({
    method: 'POST',
    path: '/memory_stores/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'memoryStores', request.params['id'])
      return { body: request.store.put(withChanges(current, request, updates(request, current, request.body))).body }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, wantedId?: string): StoredObject {
  const id = wantedId ?? newId(context, 'memstore')
  return context.store.insert({
    id,
    collection: 'memoryStores',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'memory_store',
      name: body.name,
      description: body.description ?? '',
      memory_count: 0,
      storage_bytes: 0,
      session_count: 0,
      created_by: owner,
      metadata: patchedMetadata({}, body.metadata ?? {}, context),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    },
  })
}

function updates(context: EmulatorContext, current: StoredObject, body: Static<typeof Update>): JsonObject {
  const { metadata, ...rest } = presentMembers(body)
  if (!Object.values(body).some((value) => value !== undefined))
    throw refuse('invalid', 'name, description or metadata is required')
  return {
    ...rest,
    ...(body.description === null ? { description: '' } : {}),
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, context) } : {}),
  }
}
