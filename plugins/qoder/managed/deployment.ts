// Deployments: an agent version with input, started by hand or by schedule (agent configuration 2.16).

import { basename } from 'node:path/posix'
import { patchBody } from '../../../core/plugin/body.js'
import { isFailure } from '../../../core/plugin/failure.js'
import { type FieldTable, handler, type Remote } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import type { Written } from '../../../core/plugin/undeclared.js'
import type { JsonObject, Tree } from '../../../core/value/tree.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import {
  agentPin,
  isPaused,
  observedEvents,
  runParts,
  scheduleMembers,
  startEvents,
  uploadsOf,
  wireAgentPin,
} from '../../shared/deployment-parts.js'
import { mountFields, observedMounts } from '../../shared/session-mounts.js'
import { objectOf } from '../../shared/wire.js'
import { idempotent, type QoderClient } from '../client.js'
import { collection } from '../collection.js'
import { calledName } from '../declared.js'
import { deploymentBody } from '../declared-deployment.js'
import { variablesOf, variablesText } from '../environment-variables.js'
import { mountRoot, workspace } from '../mount-root.js'
import { desiredMounts, wireMounts } from '../mounts.js'
import { problem } from '../problems.js'
import { item, metadataOf } from '../wire.js'

const fields: FieldTable = {
  'agent/version': { label: 'agent_version' },
  environment_id: { label: 'environment' },
  description: { clear: '' },
  vault_ids: { label: 'vaults', clear: [], unordered: true },
  resources: { clear: [] },
  ...mountFields,
  schedule: { clear: null },
  environment_variables: { clear: null },
  metadata: { map: 'patchNull' },
}

const written = {
  fields,
  wire: wireBody,
  added: [...scheduleMembers, 'resources/*/mount_path'],
} as const satisfies Written

interface NamedAgent {
  readonly name: string
  readonly body: DeploymentBody
}

export const deployment = handler<QoderClient, DeploymentBody>({
  ...collection('managed', '/deployments'),
  ...written,
  kind: 'deployment',
  support: {
    reason: 'runs managed agents only, and without a tunnel',
    instead: 'let end users schedule runs of a forward agent with managed_tool_config',
  },
  mark: 'metadata',

  desired,
  derive: (declaration) => uploadsOf(declaration, { purpose: 'session_resource' }),
  observed,

  create: (call, { desired, nonce }) =>
    call.client.managed.create('/deployments', wireBody(desired), idempotent(call, nonce)),
  update: async ({ client, signal }, request) => {
    // An agent that is not named keeps its version.
    const body = patchBody(fields, request, written)
    try {
      return await client.managed.update(item('/deployments', request.id), body, { signal })
    } catch (error) {
      if (body['schedule'] !== null || !isFailure(error, 'invalid')) throw error
      throw problem('qoder.schedule-kept', {
        detail: `Qoder refused to take the schedule away from ${request.id}: ${error.message}`,
        cause: error,
      })
    }
  },
  remove: async ({ client, signal }, id) =>
    void (await client.managed.update(item('/deployments', id, 'archive'), {}, { signal })),
  removal: 'archive',

  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  isPaused,
  declare: ({ remote }, index) => deploymentBody(observed(remote), index),
})

function desired({ name, body: declared }: NamedAgent, scope: Scope): Tree {
  const body = withPlaces(declared)
  const { schedule } = body
  const { environment, vaults, resources } = runParts({ name, body }, scope, mountRoot)
  return {
    name: body.name ?? name,
    description: body.description,
    agent: agentPin(body, scope),
    environment_id: scope.output('environment', environment),
    initial_events: startEvents({ name, body }, scope),
    vault_ids: vaults.map((vault) => scope.output('vault', vault)),
    resources: desiredMounts(resources, scope),
    schedule: schedule && { type: 'cron', ...schedule },
    environment_variables: body.environment_variables,
    metadata: body.metadata,
  }
}

function observed(remote: Remote): Tree {
  const { name, description, agent, environment_id, initial_events, vault_ids } = remote
  const { id, version } = objectOf(agent)
  const { type, expression, timezone } = objectOf(remote['schedule'])
  return {
    name,
    description,
    agent: { id, version: String(version) },
    environment_id,
    initial_events: observedEvents(initial_events),
    vault_ids,
    resources: observedMounts(remote['resources']),
    schedule: { type, expression, timezone },
    environment_variables: variablesOf(remote['environment_variables']),
    metadata: metadataOf(remote),
  }
}

/** Mounts local files without a mount path under their own names. */
function withPlaces(body: DeploymentBody): DeploymentBody {
  const resources = body.resources?.map((resource) => {
    if (resource.type !== 'file' || resource.source === undefined) return resource
    return { ...resource, mount_path: resource.mount_path ?? `${workspace}/${basename(resource.source)}` }
  })
  return resources === undefined ? body : { ...body, resources }
}

/** Returns the body of the whole object. */
function wireBody({ agent, resources, environment_variables: variables, ...rest }: Tree): JsonObject {
  return {
    ...rest,
    ...wireAgentPin(agent),
    resources: wireMounts(resources),
    environment_variables: variablesText(variables),
  }
}
