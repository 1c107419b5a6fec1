// Emulated vaults: named groups of credentials, deleted with everything in them.
import type { Static } from 'typebox'
import { type Collection, type EmulatorContext, type Route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { live, patchedMetadata, timeText, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { call, exact, Metadata, MetadataPatch, name, nullable, optional } from './schema.js'

const Create = exact({ display_name: name, metadata: optional(Metadata) })
const Update = exact({ display_name: optional(nullable(name)), metadata: optional(MetadataPatch) })

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
  ...usualRoutes({ path: '/vaults', collection: 'vault', verbs: ['list', 'read', 'archive', 'delete'] }),
  call({
    method: 'POST',
    path: '/vaults',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'POST',
    path: '/vaults/:id',
    body: Update,
    handle(request) {
      const vault = live(request.store, 'vault', request.params['id'])
      const { display_name = vault.body['display_name'], metadata } = request.body
      const next = { display_name, metadata: patchedMetadata(vault.body['metadata'], metadata) }
      return { body: request.store.put(withChanges(vault, request, next)).body }
    },
  }),
]

export const vaultCollection: Collection = {
  kind: 'vault',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  seeding: seeding({ schema: Create, defaults: { display_name: 'seeded' }, create }),
  touched: (object, context) => withChanges(object, context, {}),
}
