// Emulated sessions of an agent in an environment. They start idle and end archived.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, seeding } from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import { resolvedModel } from './agent-body.js'
import { McpServer, Model, Skill } from './agent-schema.js'
import { StartEvents } from './input-events.js'
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
import { resolvedTools } from './resolved-tools.js'
import { AgentReference, Budget, checkMountable, pinnedAgent, Resource } from './run-parts.js'
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
  repeated,
  text,
} from './schema.js'
import { addResource, resourcesOf } from './session-resources.js'
import { Tool } from './tool-schema.js'
import { addEvent, takeTurn } from './turns.js'

/** An agent that has other members in one session. */
const AgentWithOverrides = exact({
  type: Type.Literal('agent_with_overrides'),
  id,
  version: optional(Type.Integer({ minimum: 1 })),
  model: optional(Model),
  system: optional(nullable(text())),
  tools: optional(Type.Array(Tool)),
  mcp_servers: optional(Type.Array(McpServer)),
  skills: optional(Type.Array(Skill)),
})
const Create = exact({
  agent: Type.Union([AgentReference, AgentWithOverrides]),
  environment_id: id,
  title: optional(nullable(text())),
  metadata: optional(Metadata),
  vault_ids: optional(Type.Array(id, { maxItems: 50 })),
  resources: optional(Type.Array(Resource, { maxItems: 500 })),
  initial_events: optional(StartEvents),
  budget: optional(nullable(Budget)),
})
const Update = exact({
  budget: optional(nullable(Budget)),
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
  const { pinned, overrides } = sessionAgent(store, given.agent)
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
        ...overrides,
      },
      environment_id: given.environment_id,
      status: 'idle',
      title: given.title ?? null,
      metadata: patchedMetadata({}, given.metadata),
      vault_ids: given.vault_ids ?? [],
      deployment_id: deploymentId,
      budget: (given.budget ?? null) as Json,
      outcome_evaluations: [],
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

function sessionAgent(
  store: Store,
  given: Static<typeof Create>['agent'],
): { readonly pinned: JsonObject; readonly overrides: JsonObject } {
  if (typeof given === 'string' || given.type === 'agent') return { pinned: pinnedAgent(store, given), overrides: {} }
  const { id, version, type: _, model, tools, ...rest } = given
  return {
    pinned: pinnedAgent(store, { type: 'agent', id, ...(version === undefined ? {} : { version }) }),
    overrides: {
      ...(rest as JsonObject),
      ...(model === undefined ? {} : { model: resolvedModel(model, undefined) }),
      ...(tools === undefined ? {} : { tools: resolvedTools(tools) }),
    },
  }
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
    query: query({
      ...listed,
      ...archivedToo,
      ...createdBetween,
      agent_id: optional(id),
      agent_version: optional(Type.String({ pattern: '^[0-9]+$' })),
      deployment_id: optional(id),
      memory_store_id: optional(id),
      order: optional(Type.Enum(['asc', 'desc'])),
      'statuses[]': optional(repeated(Type.Enum(['rescheduling', 'running', 'idle', 'terminated']))),
    }),
    handle({ store, query }) {
      const statuses = query['statuses[]']?.split(',')
      const mounts = (session: StoredObject) => resourcesOf(store, session.id).map((one) => one['memory_store_id'])
      const isWanted = (session: StoredObject) => {
        const { agent, deployment_id } = session.body
        const { id, version } = isObject(agent) ? agent : {}
        return (
          (query.agent_id ?? id) === id &&
          (query.agent_version ?? String(version)) === String(version) &&
          (query.deployment_id ?? deployment_id) === deployment_id &&
          (query.memory_store_id === undefined || mounts(session).includes(query.memory_store_id)) &&
          (statuses?.includes(String(responseBody(store, session)['status'])) ?? true)
        )
      }
      const answer = list([...store.all('session')].filter(isWanted), query, {
        order: query.order === 'asc' ? 'oldestFirst' : 'newestFirst',
        show: (session) => responseBody(store, session),
      })
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
        ...(body.budget === undefined ? {} : { budget: body.budget as Json }),
        metadata: patchedMetadata(session.body['metadata'], body.metadata),
        agent: { ...agent, ...(body.agent as JsonObject | undefined) },
      })
      return { body: responseBody(store, store.put(next)) }
    },
  }),
  call({
    method: 'DELETE',
    path: '/sessions/:id',
    handle(request) {
      const { store, params } = request
      const session = requireObject(store, 'session', params['id'])
      checkNotRunning(session)
      addEvent(request, session.id, { type: 'session.deleted' })
      return removeObject(session, store, 'session_deleted')
    },
  }),
  call({
    method: 'POST',
    path: '/sessions/:id/archive',
    handle(request) {
      const session = live(request.store, 'session', request.params['id'])
      checkNotRunning(session)
      addEvent(request, session.id, { type: 'session.status_terminated' })
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
