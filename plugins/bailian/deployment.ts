// Deployments: runs of a pinned agent version, started by messages; only files can be mounted.
import { patchBody } from '../../core/plugin/body.js'
import { handler, type Remote } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { Written } from '../../core/plugin/undeclared.js'
import { isObject, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { agentPin, isPaused, runContents, scheduleMembers, uploadsOf } from '../shared/deployment-parts.js'
import { objectsOf } from '../shared/wire.js'
import { archival, calledName, collection } from './answers.js'
import type { BailianClient } from './client.js'
import { declaredDeployment, message } from './declared-deployment.js'
import { mountRoot, wireFile } from './mounts.js'

interface Deployment {
  readonly name: string
  readonly body: DeploymentBody
}

const fields = {
  description: { clear: '' },
  environment_id: { clear: null, label: 'environment' },
  schedule: { clear: null },
  initial_events: {},
  resources: { clear: [], unordered: true },
  vault_ids: { clear: [], unordered: true, label: 'vaults' },
  environment_variables: { clear: {} },
  metadata: { clear: {} },
} as const

const written = { fields, wire: wireBody, added: [...scheduleMembers, 'agent/*'] } as const satisfies Written

export const deployment = handler<BailianClient, DeploymentBody>({
  ...collection('/deployments'),
  ...archival('/deployments'),
  ...written,
  kind: 'deployment',
  support: { reason: 'resources are files only' },
  mark: 'metadata',

  desired,
  observed,

  create: ({ client, signal }, { desired }) => client.create('/deployments', wireBody(desired), { signal }),
  update: ({ client, signal }, request) => {
    const { agent, environment_variables } = wireBody(request.desired)
    // If an update lacks the agent, the API pins the newest version; if it lacks the variables, it keeps the old ones.
    const body = { ...patchBody(fields, request, written), agent, environment_variables: environment_variables ?? {} }
    return client.update(pathTo`/deployments/${request.id}`, body, { signal })
  },

  lostCreate: { by: 'mark' },
  derive: (declaration) => uploadsOf(withoutOutcomes(declaration)),
  name: calledName,
  isNamedByKey: true,
  isPaused,
  declare: ({ remote }, index) => declaredDeployment(remote, observed(remote), index),
})

function desired(deployment: Deployment, scope: Scope): Tree {
  const { name, body } = deployment
  const { schedule } = body
  const { environment, vaults, resources } = runContents(deployment, scope, mountRoot)
  return {
    name: body.name ?? name,
    description: body.description,
    agent: agentPin(body, scope),
    environment_id: environment === undefined ? undefined : scope.output('environment', environment),
    schedule: schedule && { type: 'cron', ...schedule },
    initial_events: messagesOf(body).map(({ content }) => message(content)),
    // Repositories and memory stores are omitted; rules report both.
    resources: resources.flatMap(wireFile),
    vault_ids: vaults.map((vault) => scope.output('vault', vault)),
    environment_variables: body.environment_variables,
    metadata: body.metadata,
  }
}

function observed(remote: Remote): Tree {
  const { agent, schedule, initial_events, resources } = remote
  return {
    name: remote['name'],
    description: remote['description'],
    // The response may contain the whole agent.
    agent: isObject(agent) ? { id: agent['id'], version: String(agent['version']) } : undefined,
    environment_id: remote['environment_id'],
    schedule: isObject(schedule)
      ? { type: schedule['type'], expression: schedule['expression'], timezone: schedule['timezone'] }
      : undefined,
    initial_events: objectsOf(initial_events).map(({ content }) => message(content)),
    resources: objectsOf(resources).map(({ type, file_id, mount_path }) => ({ type, file_id, mount_path })),
    vault_ids: remote['vault_ids'],
    environment_variables: remote['environment_variables'],
    metadata: remote['metadata'],
  }
}

/** Returns the messages. Outcomes and rubrics are not sent, which a rule reports. */
function messagesOf({ initial_events }: DeploymentBody) {
  return initial_events.filter((event) => event.type !== 'user.define_outcome')
}

function withoutOutcomes({ name, body }: Deployment): Deployment {
  return { name, body: { ...body, initial_events: messagesOf(body) } }
}

function wireBody({ agent, ...rest }: Tree): JsonObject {
  return { ...rest, agent: isObject(agent) ? { ...agent, version: Number(agent['version']) } : agent }
}
