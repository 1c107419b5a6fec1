// Parts common to sessions and deployments: agents, budgets and mounts.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type EmulatorContext, refuse } from '../../emulator/contract.js'
import type { Store } from '../../emulator/store.js'
import { named } from './objects.js'
import { exact, id, nullable, optional, text } from './schema.js'

/** Limit of what a session may cost; the amount is in cents. */
export const Budget = exact({
  type: Type.Literal('limit'),
  max_list_cost: exact({ amount: Type.String({ pattern: '^[1-9][0-9]*$' }), currency: Type.Literal('USD') }),
})

export const AgentReference = Type.Union([
  id,
  exact({ type: Type.Literal('agent'), id, version: optional(nullable(Type.Integer({ minimum: 1 }))) }),
])
export type AgentReference = Static<typeof AgentReference>

const mountPath = optional(nullable(Type.String({ pattern: '^/' })))
const Checkout = Type.Union([
  exact({ type: Type.Literal('branch'), name: id }),
  exact({ type: Type.Literal('commit'), sha: id }),
])

export const Resource = Type.Union([
  exact({ type: Type.Literal('file'), file_id: id, mount_path: mountPath }),
  exact({
    type: Type.Literal('github_repository'),
    url: Type.String({ minLength: 1, pattern: '^https://' }),
    authorization_token: optional(text()),
    checkout: optional(nullable(Checkout)),
    mount_path: mountPath,
  }),
  exact({
    type: Type.Literal('memory_store'),
    memory_store_id: id,
    access: optional(nullable(Type.Enum(['read_write', 'read_only']))),
    instructions: optional(nullable(Type.String({ maxLength: 4_096 }))),
  }),
])
export type Resource = Static<typeof Resource>

/** Pins an agent: a string to its newest version, an object to its `version`. */
export function pinnedAgent(store: Store, reference: AgentReference): JsonObject {
  const agentId = typeof reference === 'string' ? reference : reference.id
  const agent = named(store, 'agent', agentId, 'agent')
  const version = typeof reference === 'string' ? undefined : (reference.version ?? undefined)
  if (version !== undefined && !store.find('agent_version', `${agentId}@${version}`))
    throw refuse('invalid', `agent.version: ${agentId} has no version ${version}`, { param: 'agent.version' })
  return { type: 'agent', id: agentId, version: version ?? agent.body['version'] ?? 1 }
}

/** Splits a resource into the visible part and its hidden token. */
export function resolvedResource(
  { store }: Pick<EmulatorContext, 'store'>,
  resource: Resource,
): { readonly shown: JsonObject; readonly hidden: JsonObject } {
  if (resource.type === 'file') {
    named(store, 'file', resource.file_id, 'resources.file_id')
    const { type, file_id, mount_path } = resource
    return { shown: { type, file_id, mount_path: mount_path ?? `/mnt/session/uploads/${file_id}` }, hidden: {} }
  }
  if (resource.type === 'memory_store') {
    const memoryStore = named(store, 'memory_store', resource.memory_store_id, 'resources.memory_store_id')
    const { type, memory_store_id, access, instructions = null } = resource
    const mount_path = `/mnt/memory/${String(memoryStore.body['name'])}`
    return { shown: { type, memory_store_id, access: access ?? 'read_write', instructions, mount_path }, hidden: {} }
  }
  const { authorization_token: token, checkout = null, mount_path, type, url } = resource
  if (url.endsWith('.git')) throw refuse('invalid', 'resources.url: must not end in .git', { param: 'resources.url' })
  const shown = { type, url, checkout, mount_path: mount_path ?? `/workspace/${url.split('/').at(-1) ?? ''}` }
  return { shown, hidden: token === undefined ? {} : { authorization_token: token } }
}

/** Refuses mounts in self-hosted environments, except memory stores. */
export function checkMountable(store: Store, environmentId: string, resources: readonly Resource[]): void {
  const environment = store.find('environment', environmentId)
  const config = environment?.body['config']
  const isSelfHosted =
    typeof config === 'object' && config !== null && 'type' in config && config.type === 'self_hosted'
  if (isSelfHosted && resources.some(({ type }) => type !== 'memory_store'))
    throw refuse('invalid', 'resources: a self-hosted environment takes memory stores only', { param: 'resources' })
}
