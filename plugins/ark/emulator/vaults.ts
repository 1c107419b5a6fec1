// Emulated vaults. They are deleted with their credentials.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, newId, patchedMetadata, requireObject, touched, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, Maybe, Metadata, presentMembers } from './schema.js'

const DisplayName = Type.String({ minLength: 1, maxLength: 255 })
const Create = Exact({ display_name: DisplayName, metadata: Maybe(Metadata) })
const Update = Exact({ display_name: Maybe(DisplayName), metadata: Maybe(Metadata) })

export const vaults: Collection = {
  kind: 'vault',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  touched,
  seeding: seeding({ schema: Create, defaults: { display_name: 'Seeded' }, create }),
}

export const vaultRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/vaults', collection: 'vaults', verbs: ['list', 'read', 'delete'] }),
  route({
    method: 'POST',
    path: '/vaults',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'POST',
    path: '/vaults/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'vaults', request.params['id'])
      return { body: request.store.put(withChanges(current, request, updates(request, current, request.body))).body }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, wantedId?: string): StoredObject {
  const id = wantedId ?? newId(context, 'vlt')
  return context.store.insert({
    id,
    collection: 'vaults',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'vault',
      display_name: body.display_name,
      metadata: patchedMetadata({}, body.metadata ?? {}, context),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    },
  })
}

function updates(context: EmulatorContext, current: StoredObject, body: Static<typeof Update>): JsonObject {
  const { metadata, ...rest } = presentMembers(body)
  if (!metadata && rest.display_name === undefined) throw refuse('invalid', 'display_name or metadata is required')
  return {
    ...rest,
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, context) } : {}),
  }
}
