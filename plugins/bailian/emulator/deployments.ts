// Emulated deployments: pinned to a version of their agent, merged on update, archived instead of deleted.
import { Cron } from 'croner'
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import type { StoredObject } from '../../emulator/store.js'
import { snapshot } from './agents.js'
import { createdQuery, isCreatedWithin } from './created-at.js'
import { CreateDeployment, UpdateDeployment } from './deployment-schema.js'
import { availableFile } from './files.js'
import { checkedMetadata, listObjects, make, mergeMembers, refuseArchived, requireObject, touched } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, listQuery, Maybe } from './schema.js'

export const stateConflict = 'DEPLOYMENT_STATE_CONFLICT'

export const deploymentKnobs = {
  deploymentPinMoves: Knob(
    Type.Boolean(),
    true,
    'Whether an update without the agent moves the deployment to its newest version, as the service does against its documentation.',
  ),
} as const

export const deployments: Collection = {
  kind: 'deployment',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: CreateDeployment, defaults: { name: 'seeded' }, create }),
}

export const deploymentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/deployments', collection: 'deployments', verbs: ['read', 'archive'] }),
  route({
    method: 'POST',
    path: '/deployments',
    body: CreateDeployment,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/deployments',
    query: Exact({
      ...listQuery,
      ...createdQuery,
      agent_id: Maybe(Type.String()),
      status: Maybe(Type.Enum(['active', 'paused'])),
    }),
    handle(request) {
      const { agent_id, status, ...query } = request.query
      const wanted = [...request.store.all('deployments')].filter(
        (deployment) =>
          (agent_id === undefined || agentOf(deployment)['id'] === agent_id) &&
          (status === undefined || deployment.body['status'] === status) &&
          isCreatedWithin(deployment, query),
      )
      return listObjects(wanted, query)
    },
  }),
  route({
    method: 'POST',
    path: '/deployments/:id',
    body: UpdateDeployment,
    handle(request) {
      const current = active(request, request.params['id'])
      const { agent, ...rest } = request.body
      const moves = agent === undefined && request.ownKnobs['deploymentPinMoves'] === true
      const pin = moves ? { id: String(agentOf(current)['id']) } : agent
      const members = {
        ...checkedMembers(request, rest),
        ...(pin === undefined ? {} : { agent: pinned(request, pin) }),
      }
      return { body: mergeMembers(request, current, members).body }
    },
  }),
  route({
    method: 'POST',
    path: '/deployments/:id/pause',
    handle: (request) => withMembers(request, { status: 'paused', paused_reason: { type: 'manual' } }),
  }),
  route({
    method: 'POST',
    path: '/deployments/:id/unpause',
    handle: (request) => withMembers(request, { status: 'active', paused_reason: null }),
  }),
]

/** Returns a deployment. Throws if it is archived. */
export function active(context: EmulatorContext, id: string | undefined): StoredObject {
  const deployment = requireObject(context, 'deployments', id)
  refuseArchived(deployment, stateConflict)
  return deployment
}

function withMembers(
  request: EmulatorContext & { readonly params: Readonly<Record<string, string>> },
  members: JsonObject,
): { readonly body: JsonObject } {
  return { body: mergeMembers(request, active(request, request.params['id']), members).body }
}

function create(context: EmulatorContext, body: CreateDeployment, id?: string): StoredObject {
  const { agent, ...rest } = body
  return make(context, {
    collection: 'deployments',
    id: id ?? context.store.newId('depl_', 24),
    type: 'deployment',
    members: {
      description: '',
      environment_id: null,
      schedule: null,
      resources: [],
      vault_ids: [],
      environment_variables: {},
      metadata: {},
      ...checkedMembers(context, rest),
      agent: pinned(context, agent),
      status: 'active',
      paused_reason: null,
    },
  })
}

/** Returns the members of responses; missing ones stay missing. */
function checkedMembers(context: EmulatorContext, body: Omit<UpdateDeployment, 'agent'>): JsonObject {
  const { environment_id, vault_ids, resources, schedule, metadata } = body
  if (environment_id) refuseArchived(requireObject(context, 'environments', environment_id))
  for (const id of vault_ids ?? []) refuseArchived(requireObject(context, 'vaults', id))
  for (const { file_id } of resources ?? []) availableFile(context, file_id)
  checkedMetadata(metadata)
  return { ...body, ...(schedule ? { schedule: scheduled(context, schedule) } : {}) }
}

function scheduled({ nowMs }: EmulatorContext, schedule: NonNullable<UpdateDeployment['schedule']>): JsonObject {
  const { expression, timezone } = schedule
  try {
    const next = new Cron(expression, { timezone, paused: true }).nextRun(new Date(nowMs))
    return { ...schedule, last_run_at: null, next_run_at: next?.toISOString() ?? null }
  } catch (error) {
    throw refuse('invalid', `schedule: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the pinned version as a whole agent. */
function pinned(context: EmulatorContext, agent: CreateDeployment['agent']): JsonObject {
  if (typeof agent === 'string')
    throw refuse('invalid', 'agent must be an object with an id', { code: 'PARAMS_ILLEGAL' })
  const current = requireObject(context, 'agents', agent.id)
  refuseArchived(current)
  return snapshot(context, current, agent.version === undefined ? undefined : String(agent.version))
}

export function agentOf({ body }: StoredObject): Readonly<Record<string, Json | undefined>> {
  return isObject(body['agent']) ? body['agent'] : {}
}
