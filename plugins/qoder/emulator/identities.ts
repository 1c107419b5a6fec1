// Emulated identities: one for each end user of the product, identified by the product's own id.

import { type Static, Type } from 'typebox'
import { type Collection, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { dropSystemMounts } from './mounts.js'
import { channels, identities } from './names.js'
import { type Context, change, exact, find, make, touched } from './object.js'

const NotBlank = Type.String({ pattern: '\\S' })
const Create = Type.Object(
  {
    external_id: NotBlank,
    name: Type.Optional(NotBlank),
    enabled: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Metadata),
  },
  exact,
)
const Update = Type.Object(
  {
    external_id: Type.Optional(NotBlank),
    name: Type.Optional(NotBlank),
    enabled: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)

export const identityRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/identities',
    body: Create,
    handle: once('identities', (request) => ({ status: 201, body: makeIdentity(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/identities',
    query: listQuery('id', {
      external_id: Type.Optional(Type.String()),
      identity_ids: Type.Optional(Type.String()),
      search: Type.Optional(Type.String()),
      enabled: Type.Optional(Type.Enum(['true', 'false'])),
    }),
    handle(request) {
      const { external_id: external, identity_ids: ids, search, enabled } = request.query
      const isMeant = ({ id, body }: StoredObject) =>
        (external === undefined || body['external_id'] === external) &&
        (ids === undefined || ids.split(',').includes(id)) &&
        (search === undefined || `${body['name']} ${body['external_id']}`.includes(search)) &&
        (enabled === undefined || String(body['enabled']) === enabled)
      return list([...request.store.all(identities)].filter(isMeant), request, { cursors: 'id', isClamped: true })
    },
  }),
  route({
    method: 'GET',
    path: '/identities/:id',
    handle: (request) => ({ body: find(request, identities, request.params['id']).body }),
  }),
  route({
    method: 'POST',
    path: '/identities/:id',
    body: Update,
    handle(request) {
      const { metadata, ...plain } = request.body
      const current = find(request, identities, request.params['id'])
      if (plain.external_id !== undefined) refuseTaken(request, plain.external_id, current.id)
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [''] })
      return { body: change(request, current, { ...plain, ...(merged ? { metadata: merged } : {}) }).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/identities/:id',
    handle(request) {
      const current = find(request, identities, request.params['id'])
      const users = [...request.store.all(channels)].filter(({ body }) => body['identity_id'] === current.id)
      if (users.length > 0)
        throw refuse('conflict', `identity is in use by ${users.length} channels`, { code: 'identity_in_use' })
      request.store.remove(current)
      dropSystemMounts(request, ({ identity_id }) => identity_id === current.id)
      return { body: { id: current.id, deleted: true } }
    },
  }),
]

export const identityCollection: Collection = {
  kind: 'identity',
  api: 'forward',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: Create, defaults: { external_id: 'seeded-user' }, create: makeIdentity }),
}

function makeIdentity(context: Context, request: Static<typeof Create>, id?: string): StoredObject {
  const { external_id: external, name, enabled = true, metadata } = request
  refuseTaken(context, external, undefined)
  return make(context, {
    collection: identities,
    prefix: 'idn_',
    id,
    body: {
      type: 'identity',
      identity_type: 'normal',
      external_id: external,
      name: name ?? external,
      enabled,
      metadata: checkedMetadata(metadata),
    },
  })
}

function refuseTaken({ store }: Context, external: string, own: string | undefined): void {
  const isTaken = [...store.all(identities)].some(({ id, body }) => id !== own && body['external_id'] === external)
  if (isTaken)
    throw refuse('conflict', `an identity with the external_id "${external}" already exists`, {
      code: 'external_id_taken',
    })
}
