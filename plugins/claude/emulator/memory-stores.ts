// Emulated memory stores: names and descriptions of trees of memories; archived ones can only be read and deleted.
import { type Static, Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { archived, changed, deleted, held, list, live, patchedMetadata, timeText } from './objects.js'
import { archivedToo, call, exact, listed, Metadata, MetadataPatch, name, nullable, optional, query } from './schema.js'

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
  call({
    method: 'POST',
    path: '/memory_stores',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'GET',
    path: '/memory_stores',
    query: query({ ...listed, ...archivedToo }),
    handle: (request) => list(request.store.all('memory_store'), request.query),
  }),
  call({
    method: 'GET',
    path: '/memory_stores/:id',
    handle: ({ store, params }) => ({ body: held(store, 'memory_store', params['id']).body }),
  }),
  call({
    method: 'POST',
    path: '/memory_stores/:id',
    body: Update,
    handle(request) {
      const memoryStore = live(request.store, 'memory_store', request.params['id'])
      const { name = memoryStore.body['name'], description, metadata } = request.body
      const next = changed(memoryStore, request, {
        name,
        ...(description === undefined ? {} : { description: description || null }),
        metadata: patchedMetadata(memoryStore.body['metadata'], metadata),
      })
      return { body: request.store.put(next).body }
    },
  }),
  call({
    method: 'DELETE',
    path: '/memory_stores/:id',
    handle: ({ store, params }) => deleted(held(store, 'memory_store', params['id']), store, 'memory_store_deleted'),
  }),
  call({
    method: 'POST',
    path: '/memory_stores/:id/archive',
    handle: (request) => archived(held(request.store, 'memory_store', request.params['id']), request),
  }),
]

export const memoryStoreCollection: Collection = {
  kind: 'memory_store',
  isTopLevel: true,
  isPermanent: false,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded' }, create }),
  touched: (object, context) => changed(object, context, {}),
}
