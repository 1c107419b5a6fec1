// Emulated memory stores: shared by both APIs, under stricter rules in the forward API.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata, reservedKey } from './metadata.js'
import { agePending, isStale, mountsWhere } from './mounts.js'
import { type Api, memoryStores } from './names.js'
import { archive, type Context, change, exact, find, findActive, isArchived, make, touched } from './object.js'

/** Maximum number of pairs for callers of the forward API: one fewer, because the service adds its own. */
const forwardPairsMax = 15

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Description = Type.String({ maxLength: 1024 })
const Create = Type.Object(
  { name: Name, description: Type.Optional(Description), metadata: Type.Optional(Metadata) },
  exact,
)
const Update = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)
const filters = {
  name: Type.Optional(Type.String()),
  'created_at[gte]': Type.Optional(Type.String()),
  'created_at[lte]': Type.Optional(Type.String()),
}
const isManagedFilter = { system_managed: Type.Optional(Type.Enum(['true', 'false'])) }

export function memoryStoreRoutes(api: Api): readonly Route[] {
  const cursors = api === 'managed' ? 'both' : 'id'
  return [
    route({
      method: 'POST',
      path: '/memory_stores',
      body: Create,
      handle(request) {
        if (api === 'forward' && (request.headers['idempotency-key'] ?? '') === '')
          throw refuse('invalid', 'the header Idempotency-Key is required', { param: 'Idempotency-Key' })
        return createOnce[api](request)
      },
    }),
    route({
      method: 'GET',
      path: '/memory_stores',
      query: listQuery(cursors, { ...filters, ...(api === 'forward' ? isManagedFilter : {}) }),
      handle(request) {
        const query: Readonly<Record<string, unknown>> = request.query
        const isMeant = ({ body, hidden }: StoredObject) =>
          (query['name'] === undefined || body['name'] === query['name']) &&
          (query['system_managed'] === undefined || String(hidden['isSystem'] === true) === query['system_managed'])
        const found = [...request.store.all(memoryStores)].filter(isMeant)
        return list(found, request, { cursors, show: (store) => shown(api, request, store) })
      },
    }),
    route({
      method: 'GET',
      path: '/memory_stores/:id',
      handle: (request) => ({ body: shown(api, request, find(request, memoryStores, request.params['id'])) }),
    }),
    route({
      method: 'POST',
      path: '/memory_stores/:id',
      body: Update,
      handle(request) {
        const { metadata, ...plain } = request.body
        const current = findActive(request, memoryStores, request.params['id'])
        const merged = metadata && mergedMetadata(api, current, metadata)
        return {
          body: shown(api, request, change(request, current, { ...plain, ...(merged ? { metadata: merged } : {}) })),
        }
      },
    }),
    route({
      method: 'POST',
      path: '/memory_stores/:id/archive',
      handle(request) {
        const current = find(request, memoryStores, request.params['id'])
        if (api === 'forward') refuseMounted(request, current)
        const archived = archive(request, current)
        // The managed call removes mounts that the system is about to unmount anyway.
        for (const mount of mountsOf(request, current))
          if (mount.hidden['requestsLeft'] !== undefined) request.store.remove(mount)
        return { body: shown(api, request, change(request, archived, { status: 'archived' })) }
      },
    }),
    route({
      method: 'DELETE',
      path: '/memory_stores/:id',
      handle: (request) => removeStore(api, request),
    }),
  ]
}

export const memoryStoreCollection: Collection = {
  kind: 'memory_store',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({
    schema: Create,
    defaults: { name: 'seeded store' },
    create: (context, body, id) => makeStore(context, body, { id }),
  }),
}

export function makeStore(
  context: Context,
  { name, description = '', metadata }: Static<typeof Create>,
  { id, systemOf }: { readonly id?: string | undefined; readonly systemOf?: string } = {},
): StoredObject {
  return make(context, {
    collection: memoryStores,
    prefix: 'memstore_',
    id,
    body: {
      type: 'memory_store',
      name,
      description,
      status: 'active',
      entry_count: 0,
      total_size: 0,
      metadata: checkedMetadata(metadata),
      archived_at: null,
    },
    hidden: systemOf === undefined ? {} : { isSystem: true, identityId: systemOf },
  })
}

const createOnce: Readonly<
  Record<Api, (request: EmulatedRequest<Static<typeof Create>>) => ReturnType<Route['handle']>>
> = {
  managed: once('managed memory stores', (request) => ({
    status: 201,
    body: shown('managed', request, makeStore(request, request.body)),
  })),
  forward: once('forward memory stores', (request) => {
    checkedMetadata(request.body.metadata, { pairsMax: forwardPairsMax, isReserved: true })
    const metadata = { ...request.body.metadata, [reservedKey]: 'forward' }
    return { body: shown('forward', request, makeStore(request, { ...request.body, metadata })) }
  }),
}

/** Merges metadata. The managed API patches; the forward one replaces everything except its own key. */
function mergedMetadata(api: Api, { body }: StoredObject, patch: Static<typeof MetadataPatch>): JsonObject {
  if (api === 'managed') return patchedMetadata(body['metadata'], patch, { deletes: [null] })
  const replaced = patchedMetadata({}, patch, { deletes: [], isReserved: true })
  // Both schemas of metadata allow texts only.
  return checkedMetadata({ ...replaced, [reservedKey]: 'forward' } as Record<string, string>)
}

function removeStore(api: Api, request: EmulatedRequest): { readonly body: JsonObject } {
  const current = find(request, memoryStores, request.params['id'])
  if (api === 'forward' && isArchived(current)) throw refuse('conflict', `${current.id} is already archived`)
  const holders = mountsOf(request, current)
  // Only the managed call removes mounts left by archived templates and deleted identities.
  const leftovers = holders.filter(({ body }) => body['system_managed'] !== true && isStale(request, body))
  agePending(request)
  if (holders.length > (api === 'managed' ? leftovers.length : 0))
    throw refuse('conflict', `${current.id} is still mounted`, { code: 'memory_store_mounted' })
  for (const mount of leftovers) request.store.remove(mount)
  request.store.remove(current)
  return { body: { id: current.id, type: 'memory_store_deleted', deleted: true } }
}

function refuseMounted(context: Context, store: StoredObject): void {
  if (mountsOf(context, store).length > 0)
    throw refuse('conflict', `${store.id} is still mounted`, { code: 'memory_store_mounted' })
}

function mountsOf(context: Context, { id }: StoredObject): readonly StoredObject[] {
  return mountsWhere(context, ({ memory_store_id }) => memory_store_id === id)
}

function shown(api: Api, context: Context, store: StoredObject): JsonObject {
  if (api === 'managed') return store.body
  const { isSystem, identityId } = store.hidden
  return {
    ...store.body,
    system_managed: isSystem === true,
    identity_id: identityId ?? null,
    binding_info: { identity_template_count: mountsOf(context, store).length },
  }
}
