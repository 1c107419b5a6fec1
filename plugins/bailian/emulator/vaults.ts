// Emulated vaults. Their credentials remain after deletion.
import { type Static, Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { checkedMetadata, listObjects, make, mergeMembers, refuseArchived, requireObject, touched } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, listQuery, Maybe, Metadata } from './schema.js'

const DisplayName = Type.String({ minLength: 1, maxLength: 255 })
const Create = Exact({ display_name: DisplayName, metadata: Maybe(Metadata) })
const Update = Exact({ display_name: Maybe(DisplayName), metadata: Maybe(Metadata) })

export const vaults: Collection = {
  kind: 'vault',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  touched,
  seeding: seeding({ schema: Create, defaults: { display_name: 'seeded' }, create }),
}

export const vaultRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/vaults', collection: 'vaults', verbs: ['read', 'archive', 'delete'] }),
  route({
    method: 'POST',
    path: '/vaults',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/vaults',
    // The service accepts `keyword` with an unknown effect; it is ignored here.
    query: Exact({ ...listQuery, keyword: Maybe(Type.String()) }),
    handle: ({ store, query }) => listObjects(store.all('vaults'), query),
  }),
  route({
    method: 'POST',
    path: '/vaults/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'vaults', request.params['id'])
      refuseArchived(current)
      const { display_name, metadata } = request.body
      return { body: mergeMembers(request, current, { display_name, metadata: checkedMetadata(metadata) }).body }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, id?: string): StoredObject {
  return make(context, {
    collection: 'vaults',
    id: id ?? context.store.newId('vlt_'),
    type: 'vault',
    members: { display_name: body.display_name, metadata: checkedMetadata(body.metadata) ?? {} },
  })
}
