// Emulated sessions of the managed API.
import { type Static, Type } from 'typebox'
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { addEvent, eventRoutes } from './events.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import {
  agents,
  environmentCollections,
  fileCollections,
  sessionCollections,
  tunnels,
  vaultCollections,
} from './names.js'
import { archive, type Context, change, exact, find, isArchived, make, requireNamed, touched } from './object.js'
import { checkResources, Resource, shownResource } from './resources.js'

const sessions = sessionCollections.managed

const Create = Type.Object(
  {
    agent: Type.String({ minLength: 1 }),
    environment_id: Type.String({ minLength: 1 }),
    tunnel_id: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    metadata: Type.Optional(Metadata),
    /** Variables as one text, `KEY=VALUE;KEY=VALUE`. */
    environment_variables: Type.Optional(Type.String()),
    vault_ids: Type.Optional(Type.Array(Type.String())),
    resources: Type.Optional(Type.Array(Resource)),
  },
  exact,
)
const Update = Type.Object({ title: Type.Optional(Type.String()), metadata: Type.Optional(MetadataPatch) }, exact)

export const sessionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/sessions',
    body: Create,
    handle: once('sessions', (request) => ({ status: 201, body: makeSession(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/sessions',
    query: listQuery('both', { agent_id: Type.Optional(Type.String()) }),
    handle(request) {
      const { agent_id: agent } = request.query
      const isMeant = ({ body }: StoredObject) => agent === undefined || agentIdOf(body) === agent
      const show = ({ body }: StoredObject) => ({ ...body, agent_id: agentIdOf(body) })
      return list([...request.store.all(sessions)].filter(isMeant), request, { cursors: 'both', show })
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
      const { metadata, ...plain } = request.body
      const current = find(request, sessions, request.params['id'])
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [null] })
      return { body: change(request, current, { ...plain, ...(merged ? { metadata: merged } : {}) }).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/sessions/:id',
    handle(request) {
      const current = find(request, sessions, request.params['id'])
      if (!isArchived(current)) countInEnvironment(request, current, -1)
      request.store.remove(current)
      return { body: { id: current.id, type: 'session_deleted', deleted: true } }
    },
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/archive',
    handle(request) {
      const current = archive(request, find(request, sessions, request.params['id']))
      countInEnvironment(request, current, -1)
      addEvent(request, current.id, { type: 'session.status_terminated' })
      return { body: change(request, current, { status: 'terminated' }).body }
    },
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
    query: listQuery('both', {}),
    handle: (request) => list([], { ...request, query: checkedSession(request) }, { cursors: 'both' }),
  }),
  ...eventRoutes('managed'),
]

export const sessionCollection: Collection = {
  kind: 'session',
  api: 'managed',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['title'] ?? ''),
  touched,
  seeding: seeding({ schema: Create, defaults: {}, create: makeSession }),
}

export function makeSession(context: Context, request: Static<typeof Create>, id?: string): StoredObject {
  const { agent: agentId, environment_id: environment, tunnel_id: tunnel, title, metadata } = request
  requireNamed(context, [agents], agentId, 'agent')
  requireNamed(context, Object.values(environmentCollections), environment, 'environment_id')
  if (tunnel !== undefined) requireNamed(context, [tunnels], tunnel, 'tunnel_id')
  for (const vault of request.vault_ids ?? []) requireNamed(context, [vaultCollections.managed], vault, 'vault_ids')
  checkVariables(request.environment_variables)
  const resources = request.resources ?? []
  checkResources(context, resources, { files: fileCollections.managed })
  const agent = find(context, agents, agentId).body
  const made = make(context, {
    collection: sessions,
    prefix: 'sess_',
    id,
    body: {
      type: 'session',
      agent: { type: 'agent', id: agentId, name: agent['name'], version: agent['version'] },
      environment_id: environment,
      tunnel_id: tunnel ?? null,
      status: 'idle',
      title: title ?? '',
      metadata: checkedMetadata(metadata),
      vault_ids: request.vault_ids ?? [],
      memory_store_ids: storesOf(resources),
      resources: resources.map(shownResource),
      archived_at: null,
    },
    hidden: { environment_variables: request.environment_variables ?? '' },
  })
  countInEnvironment(context, made, 1)
  return made
}

/** Updates the counter that prevents the removal of an environment; with the knob, ended sessions still count. */
function countInEnvironment(context: Context, session: StoredObject, step: 1 | -1): void {
  if (step < 0 && context.ownKnobs['staleSessionCount'] === true) return
  const environment = context.store.find(environmentCollections.managed, String(session.body['environment_id']))
  if (!environment) return
  const sessionCount = Number(environment.hidden['sessions'] ?? 0) + step
  context.store.put({ ...environment, hidden: { ...environment.hidden, sessions: Math.max(0, sessionCount) } })
}

export function checkVariables(text: string | undefined): void {
  for (const pair of (text ?? '').split(';'))
    if (pair !== '' && pair.indexOf('=') < 1)
      throw refuse('invalid', 'environment_variables: must be KEY=VALUE;KEY=VALUE', { param: 'environment_variables' })
}

function storesOf(resources: readonly JsonObject[]): Json {
  return resources.flatMap(({ type, memory_store_id: store }) =>
    type === 'memory_store' && store !== undefined ? [store] : [],
  )
}

function agentIdOf({ agent }: JsonObject): Json {
  return typeof agent === 'object' && agent !== null && 'id' in agent ? (agent['id'] ?? null) : null
}

function checkedSession(request: EmulatedRequest<unknown, Readonly<Record<string, unknown>>>) {
  find(request, sessions, request.params['id'])
  return request.query
}
