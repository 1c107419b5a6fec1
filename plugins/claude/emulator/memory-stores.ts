// Emulated memory stores: names and descriptions of trees of memories; archived ones can only be read and deleted.
import { type Static, Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { live, patchedMetadata, timeText, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { call, exact, Metadata, MetadataPatch, name, nullable, optional } from './schema.js'

const description = optional(nullable(Type.String({ maxLength: 1_024 })))
const Create = exact({ name, description, metadata: optional(Metadata) })
const Update = exact({ name: optional(name), description, metadata: optional(MetadataPatch) })

function create(
  context: EmulatorContext,
  body: Static<typeof Create>,
  id = context.store.newId('memstore_01'),
): StoredObject {
  const now = timeText(context.nowMs)
  return context.store.insert({
    id,
    collection: 'memory_store',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'memory_store',
      name: body.name,
      description: body.description || null,
      metadata: patchedMetadata({}, body.metadata),
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
  })
}

export const memoryStoreRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/memory_stores', collection: 'memory_store', verbs: ['list', 'read', 'archive', 'delete'] }),
  call({
    method: 'POST',
    path: '/memory_stores',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'POST',
    path: '/memory_stores/:id',
    body: Update,
    handle(request) {
      const memoryStore = live(request.store, 'memory_store', request.params['id'])
      const { name = memoryStore.body['name'], description, metadata } = request.body
      const next = withChanges(memoryStore, request, {
        name,
        ...(description === undefined ? {} : { description: description || null }),
        metadata: patchedMetadata(memoryStore.body['metadata'], metadata),
      })
      return { body: request.store.put(next).body }
    },
  }),
]

export const memoryStoreCollection: Collection = {
  kind: 'memory_store',
  isTopLevel: true,
  isPermanent: false,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded' }, create }),
  touched: (object, context) => withChanges(object, context, {}),
}
