// Deployments: an agent version with input, started by hand or by schedule (agent configuration 2.16).
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, handler, type Remote } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { Written } from '../../core/plugin/undeclared.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { item } from '../shared/collection.js'
import {
  agentPin,
  isPaused,
  observedEvents,
  runParts,
  scheduleMembers,
  startEvents,
  uploadsOf,
  wireAgentPin,
} from '../shared/deployment-parts.js'
import { mountFields, observedMounts } from '../shared/session-mounts.js'
import { objectOf } from '../shared/wire.js'
import { archival, calledName, collection } from './answers.js'
import { desiredBudget, observedBudget, wireBudget } from './budget.js'
import type { ClaudeClient } from './client.js'
import { declaredDeployment, iterationsDefault } from './declared-deployment.js'
import { mountRoot } from './mount-root.js'
import { desiredMounts, wireMounts } from './mounts.js'

const fields: FieldTable = {
  'agent/version': { label: 'agent_version' },
  environment_id: { label: 'environment' },
  description: { clear: '' },
  vault_ids: { label: 'vaults', clear: [], unordered: true },
  resources: { clear: [] },
  ...mountFields,
  schedule: { clear: null },
  budget: { owner: 'declared', clear: null },
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

export const deployment = handler<ClaudeClient, DeploymentBody>({
  ...collection('/deployments'),
  ...archival('/deployments'),
  ...written,
  kind: 'deployment',
  support: { reason: 'archived instead of deleted' },
  mark: 'metadata',

  desired,
  derive: (declaration) => uploadsOf(declaration),
  observed,

  create: ({ client, signal }, { desired }) => client.create('/deployments', wireBody(desired), { signal }),
  update: ({ client, signal }, request) =>
    client.update(item('/deployments', request.id), patchBody(fields, request, written), { signal }),

  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  isPaused,
  declare: ({ remote }, index) => declaredDeployment(observed(remote), index),
})

function desired(declaration: NamedAgent, scope: Scope): Tree {
  const { name, body } = declaration
  const { schedule } = body
  const { environment, vaults, resources } = runParts(declaration, scope, mountRoot)
  const agentBody = scope.project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which it is.
  return {
    name: body.name ?? name,
    description: body.description,
    agent: agentPin(body, scope),
    environment_id: scope.output('environment', environment),
    initial_events: startEvents(declaration, scope).map(withIterations),
    vault_ids: vaults.map((vault) => scope.output('vault', vault)),
    resources: desiredMounts(resources, scope),
    schedule: schedule && { type: 'cron', ...schedule },
    budget: desiredBudget(body.budget ?? agentBody?.budget),
    metadata: body.metadata,
  }
}

function observed(remote: Remote): Tree {
  const { name, description, agent, environment_id, initial_events, vault_ids, metadata } = remote
  const { id, version } = objectOf(agent)
  const { type, expression, timezone } = objectOf(remote['schedule'])
  return {
    name,
    description,
    agent: { id, version: String(version) },
    environment_id,
    initial_events: observedEvents(initial_events).map(withIterations),
    vault_ids,
    resources: observedMounts(remote['resources']),
    schedule: { type, expression, timezone },
    budget: observedBudget(remote['budget']),
    metadata,
  }
}

/** Adds the default, so that a response that contains it is not a difference. */
function withIterations(event: JsonObject): JsonObject {
  if (event['type'] !== 'user.define_outcome') return event
  return { ...event, max_iterations: event['max_iterations'] ?? iterationsDefault }
}

/** Returns the body of the whole object. */
function wireBody({ agent, resources, budget, ...rest }: Tree): JsonObject {
  return {
    ...rest,
    ...wireBudget(budget),
    ...wireAgentPin(agent),
    resources: wireMounts(resources),
  }
}
