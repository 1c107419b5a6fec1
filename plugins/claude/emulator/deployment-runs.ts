// Emulated runs of deployments: a session each, or the reason why there is none, which pauses the deployment.
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import type { Collection, EmulatorContext, Route } from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import type { StartEvents } from './input-events.js'
import { isArchived, list, requireObject, timeText, withChanges } from './objects.js'
import type { Budget, Resource } from './run-parts.js'
import { call, createdBetween, listed, optional, query, text } from './schema.js'
import { createSession } from './sessions.js'

export function startRun(context: EmulatorContext, deployment: StoredObject): StoredObject {
  const { store, nowMs } = context
  const error = obstacle(store, deployment)
  const session = error === undefined ? startSession(context, deployment) : undefined
  const { agent = null, schedule } = deployment.body
  const now = timeText(nowMs)
  if (error !== undefined) {
    const paused_reason = { type: 'error', error: { type: error } }
    store.put(withChanges(deployment, context, { status: 'paused', paused_reason }))
  } else if (isObject(schedule)) {
    store.put(withChanges(deployment, context, { schedule: { ...schedule, last_run_at: now } }))
  }
  const id = store.newId('drun_01')
  return store.insert({
    id,
    collection: 'deployment_run',
    createdAtMs: nowMs,
    body: {
      id,
      type: 'deployment_run',
      deployment_id: deployment.id,
      agent,
      session_id: session?.id ?? null,
      error: error === undefined ? null : { type: error, message: `the run could not start: ${error}` },
      trigger_context: { type: 'manual' },
      created_at: now,
    },
  })
}

function startSession(context: EmulatorContext, deployment: StoredObject): StoredObject {
  const { agent, environment_id, vault_ids, initial_events, budget } = deployment.body
  // The schema of a deployment's create request is composed of these schemas.
  const body = {
    agent: agent as { type: 'agent'; id: string; version: number },
    environment_id: String(environment_id),
    title: String(deployment.body['name']),
    vault_ids: vault_ids as string[],
    resources: (deployment.hidden['resources'] ?? []) as unknown as Resource[],
    initial_events: initial_events as unknown as Static<typeof StartEvents>,
    budget: budget as unknown as Static<typeof Budget> | null,
  }
  return createSession(context, body, undefined, deployment.id)
}

interface RequiredObject {
  readonly collection: string
  readonly id: Json | undefined
  readonly missing: string
  readonly archived: string
}

/** Returns the first object that a session of this deployment would lack. */
function obstacle(store: Store, { body, hidden }: StoredObject): string | undefined {
  const one = (collection: string, id: Json | undefined, missing: string, archived = missing): RequiredObject => ({
    collection,
    id,
    missing,
    archived,
  })
  const agent = isObject(body['agent']) ? body['agent'] : {}
  const vaults = Array.isArray(body['vault_ids']) ? body['vault_ids'] : []
  const resources = Array.isArray(hidden['resources']) ? hidden['resources'].filter(isObject) : []
  const needs = [
    one('agent', agent['id'], 'agent_archived_error'),
    one('environment', body['environment_id'], 'environment_not_found_error', 'environment_archived_error'),
    ...vaults.map((id) => one('vault', id, 'vault_not_found_error', 'vault_archived_error')),
    ...resources.flatMap((resource: JsonObject) =>
      resource['type'] === 'file'
        ? [one('file', resource['file_id'], 'file_not_found_error')]
        : resource['type'] === 'memory_store'
          ? [
              one(
                'memory_store',
                resource['memory_store_id'],
                'session_resource_not_found_error',
                'memory_store_archived_error',
              ),
            ]
          : [],
    ),
  ]
  for (const { collection, id, missing, archived } of needs) {
    const object = store.find(collection, String(id))
    if (!object) return missing
    if (isArchived(object)) return archived
  }
  return undefined
}

export const deploymentRunRoutes: readonly Route[] = [
  call({
    method: 'GET',
    path: '/deployment_runs',
    query: query({
      ...listed,
      ...createdBetween,
      deployment_id: optional(text()),
      has_error: optional(Type.Enum(['true', 'false'])),
      trigger_type: optional(Type.Enum(['manual', 'schedule'])),
    }),
    handle({ store, query }) {
      const { deployment_id, has_error, trigger_type } = query
      const runs = [...store.all('deployment_run')].filter(({ body }) => {
        const trigger = isObject(body['trigger_context']) ? body['trigger_context']['type'] : undefined
        return (
          (deployment_id === undefined || body['deployment_id'] === deployment_id) &&
          (has_error === undefined || (body['error'] !== null) === (has_error === 'true')) &&
          (trigger_type === undefined || trigger === trigger_type)
        )
      })
      return list(runs, query)
    },
  }),
  call({
    method: 'GET',
    path: '/deployment_runs/:id',
    handle: ({ store, params }) => ({ body: requireObject(store, 'deployment_run', params['id']).body }),
  }),
]

export const deploymentRunCollection: Collection = { kind: 'deployment_run', isTopLevel: false, isPermanent: true }
