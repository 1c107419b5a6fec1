// Emulated deployments and their runs: archived instead of deleted, and without tunnels.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { addEvent } from './events.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { agents, deployments, environmentCollections, fileCollections, vaultCollections } from './names.js'
import {
  activeWhere,
  archive,
  type Context,
  change,
  exact,
  find,
  findActive,
  isArchived,
  isoTime,
  make,
  requireNamed,
  touched,
} from './object.js'
import { checkResources, Resource, shownResource } from './resources.js'
import { checkVariables, makeSession } from './sessions.js'

const runs = 'deployment_runs'

const clearable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Texts = Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }, exact), { minItems: 1 })
const Rubric = Type.Union([
  Type.Object({ type: Type.Literal('text'), content: Type.String() }, exact),
  Type.Object({ type: Type.Literal('file'), file_id: Type.String() }, exact),
])
const InitialEvent = Type.Union([
  Type.Object({ type: Type.Enum(['user.message', 'system.message']), content: Texts }, exact),
  Type.Object(
    {
      type: Type.Literal('user.define_outcome'),
      description: Type.Optional(Type.String()),
      rubric: Type.Optional(Rubric),
      max_iterations: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    },
    exact,
  ),
])
const Agent = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      type: Type.Literal('agent'),
      id: Type.String({ minLength: 1 }),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    exact,
  ),
])
const Schedule = Type.Object(
  {
    type: Type.Literal('cron'),
    expression: Type.String({ pattern: '^\\S+( \\S+){4}$' }),
    timezone: Type.String({ minLength: 1 }),
  },
  exact,
)
const Name = Type.String({ minLength: 1, maxLength: 256 })
const InitialEvents = Type.Array(InitialEvent, { minItems: 1, maxItems: 50 })
const members = {
  description: clearable(Type.String()),
  vault_ids: clearable(Type.Array(Type.String(), { maxItems: 50 })),
  resources: clearable(Type.Array(Resource, { maxItems: 500 })),
  schedule: clearable(Schedule),
  environment_variables: clearable(Type.String()),
}
const Create = Type.Object(
  {
    ...members,
    name: Name,
    agent: Agent,
    environment_id: Type.String({ minLength: 1 }),
    initial_events: InitialEvents,
    metadata: Type.Optional(Metadata),
  },
  exact,
)
const Update = Type.Object(
  {
    ...members,
    name: Type.Optional(Name),
    agent: Type.Optional(Agent),
    environment_id: Type.Optional(Type.String({ minLength: 1 })),
    initial_events: Type.Optional(InitialEvents),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)

export const deploymentRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/deployments',
    body: Create,
    handle: once('deployments', (request) => ({ status: 201, body: makeDeployment(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/deployments',
    query: listQuery('both', { agent_id: Type.Optional(Type.String()) }),
    handle(request) {
      const { agent_id: agent } = request.query
      const isMeant = ({ body }: StoredObject) =>
        agent === undefined || (isObject(body['agent']) && body['agent']['id'] === agent)
      return list([...request.store.all(deployments)].filter(isMeant), request, { cursors: 'both' })
    },
  }),
  route({
    method: 'GET',
    path: '/deployments/:id',
    handle: (request) => ({ body: find(request, deployments, request.params['id']).body }),
  }),
  route({
    method: 'POST',
    path: '/deployments/:id',
    body: Update,
    handle(request) {
      const { metadata, ...rest } = request.body
      const current = findActive(request, deployments, request.params['id'])
      // The older API cannot remove a schedule.
      if (rest.schedule === null && request.ownKnobs['dialect'] === 'pages')
        throw refuse('invalid', 'schedule: must not be null', { param: 'schedule' })
      if (rest.name !== undefined) refuseTaken(request, rest.name, current.id)
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [null] })
      const { body, hidden } = changesOf(request, rest)
      return { body: change(request, current, { ...body, ...(merged ? { metadata: merged } : {}) }, hidden).body }
    },
  }),
  route({
    method: 'POST',
    path: '/deployments/:id/archive',
    handle: (request) => ({ body: archive(request, find(request, deployments, request.params['id'])).body }),
  }),
  ...(['pause', 'unpause'] as const).map((verb) =>
    route({
      method: 'POST',
      path: `/deployments/:id/${verb}`,
      handle(request) {
        const current = findActive(request, deployments, request.params['id'])
        const paused = { status: 'paused', paused_reason: { type: 'manual' } }
        return {
          body: change(request, current, verb === 'pause' ? paused : { status: 'active', paused_reason: null }).body,
        }
      },
    }),
  ),
  route({
    method: 'POST',
    path: '/deployments/:id/run',
    handle: (request) => ({ body: run(request, findActive(request, deployments, request.params['id'])).body }),
  }),
  route({
    method: 'GET',
    path: '/deployment_runs',
    query: listQuery('both', { deployment_id: Type.Optional(Type.String()) }),
    handle(request) {
      const { deployment_id: deployment } = request.query
      const isMeant = ({ body }: StoredObject) => deployment === undefined || body['deployment_id'] === deployment
      return list([...request.store.all(runs)].filter(isMeant), request, { cursors: 'both' })
    },
  }),
  route({
    method: 'GET',
    path: '/deployment_runs/:id',
    handle: (request) => ({ body: find(request, runs, request.params['id']).body }),
  }),
]

export const deploymentCollection: Collection = {
  kind: 'deployment',
  api: 'managed',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({
    schema: Create,
    defaults: {
      name: 'seeded deployment',
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Begin.' }] }],
    },
    create: makeDeployment,
  }),
}

export const deploymentRunCollection: Collection = { kind: 'deployment_run', isTopLevel: false, isPermanent: true }

function makeDeployment(context: Context, { metadata, ...rest }: Static<typeof Create>, id?: string): StoredObject {
  refuseTaken(context, rest.name, undefined)
  const { body, hidden } = changesOf(context, rest)
  return make(context, {
    collection: deployments,
    prefix: 'dep_',
    id,
    body: {
      type: 'deployment',
      description: '',
      vault_ids: [],
      resources: [],
      schedule: null,
      environment_variables: null,
      ...body,
      metadata: checkedMetadata(metadata),
      status: 'active',
      paused_reason: null,
      last_run_at: null,
      archived_at: null,
    },
    hidden,
  })
}

/** Returns the members of a request, in visible and in stored form. */
function changesOf(
  context: Context,
  request: Omit<Static<typeof Update>, 'metadata'>,
): { readonly body: JsonObject; readonly hidden: JsonObject } {
  const { agent, environment_id: environment, vault_ids: vaults, resources, schedule, description } = request
  if (environment !== undefined)
    requireNamed(context, Object.values(environmentCollections), environment, 'environment_id')
  for (const vault of vaults ?? []) requireNamed(context, [vaultCollections.managed], vault, 'vault_ids')
  checkResources(context, resources ?? [], { files: fileCollections.managed })
  checkVariables(request.environment_variables ?? undefined)
  const set = (name: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [name]: value })
  return {
    body: {
      ...set('name', request.name),
      ...set('agent', agent && pinnedAgent(context, agent)),
      ...set('environment_id', environment),
      ...set('initial_events', request.initial_events),
      ...set('description', description === null ? '' : description),
      ...set('vault_ids', vaults === null ? [] : vaults),
      ...set('resources', resources === null ? [] : resources?.map(shownResource)),
      ...set('schedule', schedule && { ...schedule, upcoming_runs_at: [isoTime(context.nowMs + 3_600_000)] }),
      ...(schedule === null ? { schedule } : {}),
      ...set('environment_variables', request.environment_variables),
    },
    hidden: resources ? { resources } : {},
  }
}

function pinnedAgent(context: Context, agent: Static<typeof Agent>): JsonObject {
  const id = typeof agent === 'string' ? agent : agent.id
  requireNamed(context, [agents], id, 'agent')
  const version = typeof agent === 'string' ? undefined : agent.version
  const current = Number(find(context, agents, id).body['version'])
  if (version !== undefined && version > current)
    throw refuse('invalid', 'agent.version: no such version', { param: 'agent' })
  return { type: 'agent', id, version: version ?? current }
}

function run(request: EmulatedRequest, deployment: StoredObject): StoredObject {
  const { agent, environment_id: environment, vault_ids: vaults, initial_events: initial } = deployment.body
  const agentId = isObject(agent) ? String(agent['id']) : ''
  const found = request.store.find(agents, agentId)
  const isRunnable = found !== undefined && !isArchived(found)
  const session = isRunnable
    ? makeSession(request, {
        agent: agentId,
        environment_id: String(environment),
        vault_ids: Array.isArray(vaults) ? vaults.map(String) : [],
      })
    : undefined
  if (session && Array.isArray(initial))
    for (const event of initial) if (isObject(event)) addEvent(request, session.id, event)
  change(request, deployment, { last_run_at: isoTime(request.nowMs) })
  return make(request, {
    collection: runs,
    prefix: 'drun_',
    body: {
      type: 'deployment_run',
      deployment_id: deployment.id,
      agent: agent ?? null,
      session_id: session?.id ?? null,
      error: session ? null : { type: 'agent_archived_error', message: 'the agent is archived' },
      trigger_context: { type: 'manual' },
    },
  })
}

function refuseTaken(context: Context, name: string, own: string | undefined): void {
  const others = activeWhere(context, deployments, ({ id, body }) => id !== own && body['name'] === name)
  if (others.length > 0) throw refuse('conflict', `a deployment named "${name}" already exists`, { code: 'name_taken' })
}
