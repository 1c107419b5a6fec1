// Emulated memory stores: names are labels, metadata is any JSON and replaced as a whole, archiving is final.
import { type Static, Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { make, mergeMembers, refuseArchived, requireObject, touched } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, Maybe } from './schema.js'

const Name = Type.String({ minLength: 1, maxLength: 255 })
const members = {
  description: Maybe(Type.String()),
  metadata: Maybe(Type.Record(Type.String({ minLength: 1 }), Type.Unknown())),
}
const Create = Exact({ name: Name, ...members })
const Update = Exact({ name: Maybe(Name), ...members })

export const memoryStores: Collection = {
  kind: 'memory_store',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded' }, create }),
}

export const memoryStoreRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/memory_stores', collection: 'memory_stores', verbs: ['list', 'read', 'archive'] }),
  route({
    method: 'POST',
    path: '/memory_stores',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'POST',
    path: '/memory_stores/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'memory_stores', request.params['id'])
      refuseArchived(current)
      const { name, description, metadata } = request.body
      return {
        body: mergeMembers(request, current, { name, description, metadata: metadata as StoredObject['body'] }).body,
      }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, id?: string): StoredObject {
  return make(context, {
    collection: 'memory_stores',
    id: id ?? context.store.newId('memstore_', 24),
    type: 'memory_store',
    members: {
      name: body.name,
      description: body.description ?? '',
      metadata: (body.metadata ?? {}) as StoredObject['body'],
    },
  })
}
