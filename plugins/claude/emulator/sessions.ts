// Emulated sessions of an agent in an environment. They start idle and end archived.
import { type Static, Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, seeding } from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import { McpServer, Tool } from './agent-schema.js'
import {
  isArchived,
  list,
  live,
  named,
  patchedMetadata,
  removeObject,
  requireObject,
  timeText,
  withChanges,
} from './objects.js'
import { AgentReference, checkMountable, pinnedAgent, Resource, StartEvents } from './run-parts.js'
import {
  archivedToo,
  call,
  createdBetween,
  exact,
  id,
  listed,
  Metadata,
  MetadataPatch,
  nullable,
  optional,
  query,
  text,
} from './schema.js'
import { addResource, resourcesOf } from './session-resources.js'
import { takeTurn } from './turns.js'

const Create = exact({
  agent: AgentReference,
  environment_id: id,
  title: optional(nullable(text())),
  metadata: optional(Metadata),
  vault_ids: optional(Type.Array(id, { maxItems: 50 })),
  resources: optional(Type.Array(Resource, { maxItems: 500 })),
  initial_events: optional(StartEvents),
  budget: optional(Type.Record(Type.String(), Type.Unknown())),
})
const Update = exact({
  title: optional(nullable(text())),
  metadata: optional(MetadataPatch),
  agent: optional(exact({ tools: optional(Type.Array(Tool)), mcp_servers: optional(Type.Array(McpServer)) })),
})

export function createSession(
  context: EmulatorContext,
  given: Static<typeof Create>,
  id = context.store.newId('sesn_01'),
  deploymentId: string | null = null,
): StoredObject {
  const { store, nowMs } = context
  const pinned = pinnedAgent(store, given.agent)
  named(store, 'environment', given.environment_id, 'environment_id')
  for (const vaultId of given.vault_ids ?? []) named(store, 'vault', vaultId, 'vault_ids')
  checkMountable(store, given.environment_id, given.resources ?? [])
  const now = timeText(nowMs)
  const session = store.insert({
    id,
    collection: 'session',
    createdAtMs: nowMs,
    body: {
      id,
      type: 'session',
      agent: {
        ...requireObject(store, 'agent_version', `${String(pinned['id'])}@${String(pinned['version'])}`).body,
        ...pinned,
      },
      environment_id: given.environment_id,
      status: 'idle',
      title: given.title ?? null,
      metadata: patchedMetadata({}, given.metadata),
      vault_ids: given.vault_ids ?? [],
      deployment_id: deploymentId,
      usage: { input_tokens: 0, output_tokens: 0 },
      stats: { active_seconds: 0, duration_seconds: 0 },
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
  })
  for (const resource of given.resources ?? []) addResource(context, session.id, resource)
  return takeTurn(context, session, given.initial_events ?? []).session
}

function responseBody(store: Store, session: StoredObject): JsonObject {
  const status = isArchived(session) ? 'terminated' : session.body['status']
  return { ...session.body, status, resources: resourcesOf(store, session.id) }
}

function checkNotRunning({ body }: StoredObject): void {
  if (body['status'] === 'running') throw refuse('invalid', 'the session is running; interrupt it first')
}

export const sessionRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/sessions',
    body: Create,
    handle: (request) => ({ body: responseBody(request.store, createSession(request, request.body)) }),
  }),
  call({
    method: 'GET',
    path: '/sessions',
    query: query({ ...listed, ...archivedToo, ...createdBetween, agent_id: optional(id) }),
    handle({ store, query }) {
      const { agent_id: agentId } = query
      const sessions = [...store.all('session')].filter(
        ({ body }) => agentId === undefined || (isObject(body['agent']) && body['agent']['id'] === agentId),
      )
      const answer = list(sessions, query, { show: (session) => responseBody(store, session) })
      return { body: { ...(isObject(answer.body) ? answer.body : {}), prev_page: null } }
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id',
    handle: ({ store, params }) => ({ body: responseBody(store, requireObject(store, 'session', params['id'])) }),
  }),
  call({
    method: 'POST',
    path: '/sessions/:id',
    body: Update,
    handle(request) {
      const { store, params, body } = request
      const session = live(store, 'session', params['id'])
      const agent = isObject(session.body['agent']) ? session.body['agent'] : {}
      const next = withChanges(session, request, {
        ...(body.title === undefined ? {} : { title: body.title }),
        metadata: patchedMetadata(session.body['metadata'], body.metadata),
        agent: { ...agent, ...(body.agent as JsonObject | undefined) },
      })
      return { body: responseBody(store, store.put(next)) }
    },
  }),
  call({
    method: 'DELETE',
    path: '/sessions/:id',
    handle({ store, params }) {
      const session = requireObject(store, 'session', params['id'])
      checkNotRunning(session)
      return removeObject(session, store, 'session_deleted')
    },
  }),
  call({
    method: 'POST',
    path: '/sessions/:id/archive',
    handle(request) {
      const session = live(request.store, 'session', request.params['id'])
      checkNotRunning(session)
      const next = withChanges(session, request, { archived_at: timeText(request.nowMs) })
      return { body: responseBody(request.store, request.store.put(next)) }
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id/threads',
    query: query(listed),
    handle({ store, params, query }) {
      requireObject(store, 'session', params['id'])
      return list([], query)
    },
  }),
]

export const sessionCollection: Collection = {
  kind: 'session',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['title'] ?? ''),
  seeding: seeding({ schema: Create, defaults: {}, create: createSession }),
  touched: (object, context) => withChanges(object, context, {}),
}
