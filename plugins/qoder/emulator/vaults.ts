// Emulated vaults. The forward API cannot update a vault, and neither API returns the credentials with it.

import { type Static, Type } from 'typebox'
import { type Collection, type Route, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { type Api, vaultCollections } from './names.js'
import { archive, type Context, change, exact, find, findActive, make, touched } from './object.js'

const Create = Type.Object(
  { display_name: Type.String({ minLength: 1, maxLength: 255 }), metadata: Type.Optional(Metadata) },
  exact,
)
const Update = Type.Object(
  {
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)

export function vaultRoutes(api: Api): readonly Route[] {
  const collection = vaultCollections[api]
  const shared = [
    route({
      method: 'POST',
      path: '/vaults',
      body: Create,
      handle: once(`${api} vaults`, (request) => ({ status: 201, body: makeVault(api, request, request.body).body })),
    }),
    route({
      method: 'GET',
      path: '/vaults',
      query: listQuery('both', { name: Type.Optional(Type.String()) }),
      handle(request) {
        const { store, query } = request
        const isMeant = ({ body }: StoredObject) => query.name === undefined || body['display_name'] === query.name
        return list([...store.all(collection)].filter(isMeant), request, { cursors: 'both' })
      },
    }),
    route({
      method: 'GET',
      path: '/vaults/:id',
      handle: (request) => ({ body: find(request, collection, request.params['id']).body }),
    }),
    route({
      method: 'DELETE',
      path: '/vaults/:id',
      handle(request) {
        const current = find(request, collection, request.params['id'])
        request.store.remove(current)
        return api === 'forward' ? { status: 204 } : { body: { id: current.id, type: 'vault_deleted', deleted: true } }
      },
    }),
  ]
  return api === 'forward' ? shared : [...shared, ...managedOnly]
}

const managedOnly: readonly Route[] = [
  route({
    method: 'POST',
    path: '/vaults/:id',
    body: Update,
    handle(request) {
      const { metadata, ...plain } = request.body
      const current = findActive(request, vaultCollections.managed, request.params['id'])
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [null] })
      return { body: change(request, current, { ...plain, ...(merged ? { metadata: merged } : {}) }).body }
    },
  }),
  route({
    method: 'POST',
    path: '/vaults/:id/archive',
    handle: (request) => ({
      body: archive(request, find(request, vaultCollections.managed, request.params['id'])).body,
    }),
  }),
]

export function vaultCollection(api: Api): Collection {
  return {
    kind: 'vault',
    api,
    isTopLevel: true,
    isPermanent: false,
    name: ({ body }) => String(body['display_name']),
    touched,
    seeding: seeding({
      schema: Create,
      defaults: { display_name: 'seeded vault' },
      create: (context, body, id) => makeVault(api, context, body, id),
    }),
  }
}

function makeVault(api: Api, context: Context, body: Static<typeof Create>, id?: string): StoredObject {
  return make(context, {
    collection: vaultCollections[api],
    prefix: 'vault_',
    id,
    body: {
      type: 'vault',
      display_name: body.display_name,
      metadata: checkedMetadata(body.metadata, { isReserved: api === 'forward' }),
      archived_at: null,
    },
  })
}
