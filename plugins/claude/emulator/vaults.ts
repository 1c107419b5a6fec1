// Emulated vaults: named groups of credentials, deleted with everything in them.
import type { Static } from 'typebox'
import { type Collection, type EmulatorContext, type Route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { archived, changed, deleted, held, list, live, patchedMetadata, timeText } from './objects.js'
import { archivedToo, call, exact, listed, Metadata, MetadataPatch, name, optional, query } from './schema.js'

const Create = exact({ display_name: name, metadata: optional(Metadata) })
const Update = exact({ display_name: optional(name), metadata: optional(MetadataPatch) })

function create(
  context: EmulatorContext,
  body: Static<typeof Create>,
  id = context.store.newId('vlt_01'),
): StoredObject {
  const now = timeText(context.nowMs)
  return context.store.insert({
    id,
    collection: 'vault',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'vault',
      display_name: body.display_name,
      metadata: patchedMetadata({}, body.metadata),
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
  })
}

export const vaultRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/vaults',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'GET',
    path: '/vaults',
    query: query({ ...listed, ...archivedToo }),
    handle: (request) => list(request.store.all('vault'), request.query),
  }),
  call({
    method: 'GET',
    path: '/vaults/:id',
    handle: ({ store, params }) => ({ body: held(store, 'vault', params['id']).body }),
  }),
  call({
    method: 'POST',
    path: '/vaults/:id',
    body: Update,
    handle(request) {
      const vault = live(request.store, 'vault', request.params['id'])
      const { display_name = vault.body['display_name'], metadata } = request.body
      const next = { display_name, metadata: patchedMetadata(vault.body['metadata'], metadata) }
      return { body: request.store.put(changed(vault, request, next)).body }
    },
  }),
  call({
    method: 'DELETE',
    path: '/vaults/:id',
    handle: ({ store, params }) => deleted(held(store, 'vault', params['id']), store, 'vault_deleted'),
  }),
  call({
    method: 'POST',
    path: '/vaults/:id/archive',
    handle: (request) => archived(held(request.store, 'vault', request.params['id']), request),
  }),
]

export const vaultCollection: Collection = {
  kind: 'vault',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  seeding: seeding({ schema: Create, defaults: { display_name: 'seeded' }, create }),
  touched: (object, context) => changed(object, context, {}),
}
