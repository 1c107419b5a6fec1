// Deployments: runs of a pinned agent version, started by messages; only files can be mounted.
import { patchBody } from '../../core/plugin/body.js'
import { handler, type Remote } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { DeploymentBody } from '../kinds/deployment.js'
import { mountPath } from '../shared/mount-path.js'
import { createdAtMs, idOutput, isArchived } from './answers.js'
import type { BailianClient } from './client.js'
import { mountRoot } from './mount-root.js'

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

export const deployment = handler<BailianClient, DeploymentBody>({
  kind: 'deployment',
  form: 1,
  fields,
  mark: 'metadata',

  desired,
  observed,
  outputs: idOutput,
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.get(`/deployments/${id}`, { signal }),
  create: ({ client, signal }, { desired }) => client.create('/deployments', wireBody(desired), { signal }),
  update: ({ client, signal }, request) => {
    const { agent, environment_variables = {} } = request.desired
    // Without the agent the pin would move to its newest version; variables are sent even when there are none.
    const body = wireBody({ ...patchBody(fields, request), agent, environment_variables })
    return client.update(`/deployments/${request.id}`, body, { signal })
  },
  remove: async ({ client, signal }, id) => void (await client.update(`/deployments/${id}/archive`, {}, { signal })),
  removal: 'archive',
  list: ({ client, signal }) => client.list('/deployments', { signal }),
  listIsComplete: true,

  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  derive: (deployment) =>
    [...new Set(filesOf(deployment).flatMap(({ source }) => source ?? []))].map((source) => ({
      kind: 'file',
      name: uploadName(deployment, source),
      body: { source },
    })),
})

function desired(deployment: Deployment, scope: Scope): Tree {
  const { name, body } = deployment
  const { agent, agent_version, schedule } = body
  return {
    name,
    description: body.description,
    // Versions are text, as outputs are; `wireBody` makes numbers of them.
    agent: {
      id: scope.output('agent', agent),
      version: agent_version === undefined ? scope.output('agent', agent, 'version') : String(agent_version),
    },
    environment_id: body.environment === undefined ? undefined : scope.output('environment', body.environment),
    schedule: schedule && { type: 'cron', ...schedule },
    initial_events: body.initial_events.flatMap((event) =>
      event.type === 'user.define_outcome' ? [] : [message(event.content)],
    ),
    resources: filesOf(deployment).map(({ source, file_id, mount_path = '' }) => ({
      type: 'file',
      file_id: source === undefined ? file_id : scope.output('file', uploadName(deployment, source)),
      mount_path: mountPath(mountRoot, mount_path),
    })),
    vault_ids: body.vaults?.map((vault) => scope.output('vault', vault)),
    environment_variables: body.environment_variables,
    metadata: body.metadata,
  }
}

function observed(remote: Remote): Tree {
  const { agent, schedule, initial_events, resources } = remote
  return {
    name: remote['name'],
    description: remote['description'],
    // The answer may hold the whole agent.
    agent: isObject(agent) ? { id: agent['id'], version: String(agent['version']) } : undefined,
    environment_id: remote['environment_id'],
    schedule: isObject(schedule)
      ? { type: schedule['type'], expression: schedule['expression'], timezone: schedule['timezone'] }
      : undefined,
    initial_events: objectsIn(initial_events).map(({ content }) => message(content)),
    resources: objectsIn(resources).map(({ type, file_id, mount_path }) => ({ type, file_id, mount_path })),
    vault_ids: remote['vault_ids'],
    environment_variables: remote['environment_variables'],
    metadata: remote['metadata'],
  }
}

/** Repositories and memory stores are left out; rules tell of both. */
function filesOf({ body }: Deployment) {
  return (body.resources ?? []).flatMap((resource) => (resource.type === 'file' ? [resource] : []))
}

function uploadName({ name }: Deployment, source: string): string {
  return `${name}~${source}`
}

/** Every message is the user's here, a system message too. */
function message(content: Json | undefined): JsonObject {
  const parts = typeof content === 'string' ? [{ text: content }] : objectsIn(content)
  return { type: 'message', role: 'user', content: parts.map(({ text }) => ({ type: 'text', text })) }
}

function wireBody({ agent, ...rest }: Tree): JsonObject {
  return { ...rest, agent: isObject(agent) ? { ...agent, version: Number(agent['version']) } : agent }
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
