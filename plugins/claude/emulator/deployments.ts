// Emulated deployments: an agent with input, started by hand or by schedule, and archived instead of deleted.
import { Cron } from 'croner'
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import {
  type Answer,
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
  seeding,
} from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { startRun } from './deployment-runs.js'
import { StartEvents } from './input-events.js'
import {
  archiveObject,
  isArchived,
  list,
  live,
  named,
  patchedMetadata,
  requireObject,
  timeText,
  withChanges,
} from './objects.js'
import { AgentReference, Budget, checkMountable, pinnedAgent, Resource, resolvedResource } from './run-parts.js'
import {
  archivedToo,
  call,
  createdBetween,
  exact,
  id,
  listed,
  Metadata,
  MetadataPatch,
  name,
  nullable,
  optional,
  query,
  text,
} from './schema.js'

const Schedule = exact({
  type: Type.Literal('cron'),
  expression: Type.String({ pattern: '^\\S+( \\S+){4}$' }),
  timezone: Type.String({ minLength: 1 }),
})
const parts = {
  description: optional(nullable(text())),
  schedule: optional(nullable(Schedule)),
  budget: optional(nullable(Budget)),
} as const
const Events = Type.Intersect([StartEvents, Type.Array(Type.Unknown(), { minItems: 1 })])
const vaults = Type.Array(id, { maxItems: 50 })
const resources = Type.Array(Resource, { maxItems: 500 })
const Create = exact({
  name,
  agent: AgentReference,
  environment_id: id,
  initial_events: Events,
  ...parts,
  vault_ids: optional(vaults),
  resources: optional(resources),
  metadata: optional(Metadata),
})
const Update = exact({
  name: optional(name),
  agent: optional(AgentReference),
  environment_id: optional(id),
  initial_events: optional(Events),
  ...parts,
  vault_ids: optional(nullable(vaults)),
  resources: optional(nullable(resources)),
  metadata: optional(MetadataPatch),
})
type DeploymentBody = Static<typeof Create> | Static<typeof Update>

const upcomingMax = 5

function resolvedMembers(context: EmulatorContext, given: DeploymentBody, current: JsonObject): JsonObject {
  const { store, nowMs } = context
  const environmentId = given.environment_id ?? String(current['environment_id'])
  if (given.environment_id !== undefined) named(store, 'environment', given.environment_id, 'environment_id')
  for (const vaultId of given.vault_ids ?? []) named(store, 'vault', vaultId, 'vault_ids')
  checkMountable(store, environmentId, given.resources ?? [])
  if (given.initial_events && !given.initial_events.some(({ type }) => type !== 'system.message'))
    throw refuse('invalid', 'initial_events: need a user.message or a user.define_outcome', { param: 'initial_events' })
  const orCurrent = (value: Json | undefined, member: string): Json =>
    value === undefined ? (current[member] ?? null) : value
  return {
    name: orCurrent(given.name, 'name'),
    agent: given.agent === undefined ? (current['agent'] ?? null) : pinnedAgent(store, given.agent),
    environment_id: environmentId,
    initial_events: orCurrent(given.initial_events as Json | undefined, 'initial_events'),
    description: given.description === '' ? null : orCurrent(given.description, 'description'),
    vault_ids: orCurrent(given.vault_ids, 'vault_ids') ?? [],
    resources:
      given.resources === undefined
        ? (current['resources'] ?? [])
        : (given.resources ?? []).map((resource) => resolvedResource(context, resource).shown),
    schedule: given.schedule ? scheduled(given.schedule, nowMs) : orCurrent(given.schedule, 'schedule'),
    budget: orCurrent(given.budget as Json | undefined, 'budget'),
    metadata: patchedMetadata(current['metadata'], given.metadata),
  }
}

function scheduled(schedule: Static<typeof Schedule>, nowMs: number): JsonObject {
  try {
    const cron = new Cron(schedule.expression, { timezone: schedule.timezone, paused: true })
    const upcoming = cron.nextRuns(upcomingMax, new Date(nowMs)).map((run) => run.toISOString())
    return { ...schedule, last_run_at: null, upcoming_runs_at: upcoming }
  } catch (error) {
    throw refuse('invalid', `schedule: ${error instanceof Error ? error.message : String(error)}`, {
      param: 'schedule',
    })
  }
}

function tokensOf(given: DeploymentBody): JsonObject {
  return given.resources === undefined ? {} : { resources: (given.resources ?? []) as unknown as Json }
}

function create(
  context: EmulatorContext,
  given: Static<typeof Create>,
  id = context.store.newId('depl_01'),
): StoredObject {
  const now = timeText(context.nowMs)
  return context.store.insert({
    id,
    collection: 'deployment',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'deployment',
      ...resolvedMembers(context, given, {}),
      status: 'active',
      paused_reason: null,
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
    hidden: tokensOf(given),
  })
}

/** Returns the response; archived deployments report `active`. */
function responseBody(deployment: StoredObject): JsonObject {
  return isArchived(deployment) ? { ...deployment.body, status: 'active' } : deployment.body
}

function setStatus(request: EmulatedRequest, status: 'active' | 'paused'): Answer {
  const deployment = live(request.store, 'deployment', request.params['id'])
  const paused_reason = status === 'paused' ? { type: 'manual' } : null
  return { body: request.store.put(withChanges(deployment, request, { status, paused_reason })).body }
}

export const deploymentRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/deployments',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'GET',
    path: '/deployments',
    query: query({
      ...listed,
      ...archivedToo,
      ...createdBetween,
      agent_id: optional(id),
      status: optional(Type.Enum(['active', 'paused'])),
    }),
    handle({ store, query }) {
      if (query.status !== undefined && query.include_archived !== undefined)
        throw refuse('invalid', 'status: cannot be combined with include_archived', { param: 'status' })
      const deployments = [...store.all('deployment')].filter(
        ({ body }) =>
          (query.status === undefined || body['status'] === query.status) &&
          (query.agent_id === undefined || (isObject(body['agent']) && body['agent']['id'] === query.agent_id)),
      )
      return list(deployments, query, { show: responseBody })
    },
  }),
  call({
    method: 'GET',
    path: '/deployments/:id',
    handle: ({ store, params }) => ({ body: responseBody(requireObject(store, 'deployment', params['id'])) }),
  }),
  call({
    method: 'POST',
    path: '/deployments/:id',
    body: Update,
    handle(request) {
      const { store, params, body } = request
      const deployment = live(store, 'deployment', params['id'])
      const next = withChanges(deployment, request, resolvedMembers(request, body, deployment.body))
      return { body: store.put({ ...next, hidden: { ...deployment.hidden, ...tokensOf(body) } }).body }
    },
  }),
  call({
    method: 'POST',
    path: '/deployments/:id/archive',
    handle(request) {
      const answer = archiveObject(requireObject(request.store, 'deployment', request.params['id']), request)
      return { body: { ...(isObject(answer.body) ? answer.body : {}), status: 'active' } }
    },
  }),
  call({ method: 'POST', path: '/deployments/:id/pause', handle: (request) => setStatus(request, 'paused') }),
  call({ method: 'POST', path: '/deployments/:id/unpause', handle: (request) => setStatus(request, 'active') }),
  call({
    method: 'POST',
    path: '/deployments/:id/run',
    handle: (request) => ({ body: startRun(request, live(request.store, 'deployment', request.params['id'])).body }),
  }),
]

export const deploymentCollection: Collection = {
  kind: 'deployment',
  isTopLevel: true,
  isPermanent: false,
  seeding: seeding({
    schema: Create,
    defaults: { name: 'seeded', initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go.' }] }] },
    create,
  }),
  touched: (object, context) => withChanges(object, context, {}),
}
