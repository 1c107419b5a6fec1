// Emulated sessions of the forward API. The first session of an identity and a template creates their memory store.
import { type Static, Type } from 'typebox'
import { type Collection, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { addEvent, eventRoutes } from './events.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { makeStore } from './memory-stores.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { mount, mountsWhere, type Pair } from './mounts.js'
import { fileCollections, identities, memoryStores, sessionCollections, templates } from './names.js'
import {
  archive,
  type Context,
  change,
  exact,
  find,
  findActive,
  isArchived,
  make,
  requireNamed,
  touched,
} from './object.js'
import { checkResources, FileResource, shownResource } from './resources.js'

const sessions = sessionCollections.forward

const Config = Type.Object({ environment_variables: Type.Optional(Type.Record(Type.String(), Type.String())) }, exact)
const Create = Type.Object(
  {
    identity_id: Type.String({ minLength: 1 }),
    template_id: Type.String({ minLength: 1 }),
    title: Type.Optional(Type.String()),
    metadata: Type.Optional(Metadata),
    config: Type.Optional(Config),
    resources: Type.Optional(Type.Array(FileResource)),
    incremental_streaming_enabled: Type.Optional(Type.Boolean()),
  },
  exact,
)
const Update = Type.Object(
  {
    title: Type.Optional(Type.String()),
    metadata: Type.Optional(MetadataPatch),
    config: Type.Optional(Config),
  },
  exact,
)

export const forwardSessionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/sessions',
    body: Create,
    handle: once('forward sessions', (request) => ({ status: 201, body: makeSession(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/sessions',
    query: listQuery('id', {
      identity_ids: Type.Optional(Type.String()),
      template_id: Type.Optional(Type.String()),
      source_type: Type.Optional(Type.String()),
    }),
    handle(request) {
      const { identity_ids: ids, template_id: template, source_type: source } = request.query
      const isMeant = ({ body, hidden }: StoredObject) =>
        (ids === undefined || ids.split(',').includes(String(body['identity_id']))) &&
        (template === undefined || hidden['template_id'] === template) &&
        (source === undefined || body['source_type'] === source)
      return list([...request.store.all(sessions)].filter(isMeant), request, { cursors: 'id' })
    },
  }),
  route({
    method: 'GET',
    path: '/sessions/:id',
    handle: (request) => ({ body: find(request, sessions, request.params['id']).body }),
  }),
  route({
    method: 'POST',
    path: '/sessions/:id',
    body: Update,
    handle(request) {
      const { metadata, config, title } = request.body
      const current = findActive(request, sessions, request.params['id'])
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [null, ''] })
      const changed = change(request, current, {
        ...(title === undefined ? {} : { title }),
        ...(config ? { config } : {}),
        ...(merged ? { metadata: merged } : {}),
      })
      return { body: changed.body }
    },
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/archive',
    handle(request) {
      const current = archive(request, find(request, sessions, request.params['id']))
      addEvent(request, current.id, { type: 'session.status_terminated' })
      return { body: current.body }
    },
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/cancel',
    handle: (request) => ({
      body: change(request, findActive(request, sessions, request.params['id']), { status: 'idle' }).body,
    }),
  }),
  route({
    method: 'GET',
    path: '/sessions/:id/resources',
    handle: (request) => ({
      body: { data: find(request, sessions, request.params['id']).body['resources'] ?? [], has_more: false },
    }),
  }),
  route({
    method: 'GET',
    path: '/sessions/:id/threads',
    query: listQuery('id', {}),
    handle(request) {
      find(request, sessions, request.params['id'])
      return list([], request, { cursors: 'id' })
    },
  }),
  ...eventRoutes('forward'),
]

export const forwardSessionCollection: Collection = {
  kind: 'session',
  api: 'forward',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['title'] ?? ''),
  touched,
  seeding: seeding({ schema: Create, defaults: {}, create: makeSession }),
}

function makeSession(context: Context, request: Static<typeof Create>, id?: string): StoredObject {
  const { identity_id: identity, template_id: template, title, metadata, config, resources = [] } = request
  requireNamed(context, [identities], identity, 'identity_id')
  requireNamed(context, [templates], template, 'template_id')
  if (find(context, identities, identity).body['enabled'] === false)
    throw refuse('forbidden', 'the identity is disabled', { code: 'identity_disabled' })
  checkResources(context, resources, { files: fileCollections.forward })
  mountSystemStore(context, { identity_id: identity, template_id: template })
  const { name, model } = find(context, templates, template).body
  return make(context, {
    collection: sessions,
    prefix: 'sess_',
    id,
    body: {
      type: 'session',
      identity_id: identity,
      template: { id: template, type: 'template', name, model, version: 1 },
      source_type: 'api',
      status: 'idle',
      title: title ?? '',
      metadata: checkedMetadata(metadata),
      config: config ?? {},
      resources: resources.map((resource) => ({
        id: context.store.newId('sesr_', 22).toLowerCase(),
        ...shownResource(resource),
      })),
      stats: {},
      usage: {},
      archived_at: null,
    },
    hidden: { template_id: template },
  })
}

/** Mounts the system's store. An archived store counts as missing: a new one replaces it. */
function mountSystemStore(context: Context, pair: Pair): void {
  const own = mountsWhere(
    context,
    (body) =>
      body['system_managed'] === true &&
      body['identity_id'] === pair.identity_id &&
      body['template_id'] === pair.template_id,
  )
  for (const current of own) {
    const store = context.store.find(memoryStores, String(current.body['memory_store_id']))
    if (store && !isArchived(store)) return
    context.store.remove(current)
  }
  const store = makeStore(context, { name: 'System Default Memory' }, { systemOf: pair.identity_id })
  mount(context, pair, store.id, { access: 'read_write', isSystem: true })
}
