// The body of a new session: what an agent brings along to each of its sessions, and what is added for this one.
import { problem } from '../../core/diagnostic.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent.js'
import { mountPath } from '../shared/mount-path.js'
import { mountRoot } from './mount-root.js'

/** Names are logical. */
export interface SessionExtras {
  readonly version?: number | undefined
  readonly environment?: string | undefined
  readonly vaults: readonly string[]
  readonly memoryStores: readonly string[]
  /** Whole resources, which win over the agent's own for the same store or file. */
  readonly resources: readonly JsonObject[]
  readonly title?: string | undefined
}

export function sessionBody(name: string, agent: AgentBody, extras: SessionExtras, scope: Scope): Tree {
  const environment = extras.environment ?? agent.environment
  if (environment === undefined) throw withoutEnvironment(name)
  const id = scope.output('agent', name)
  const vaults = new Set([...(agent.vault === undefined ? [] : [agent.vault]), ...extras.vaults])
  return {
    agent: extras.version === undefined ? id : { type: 'agent', id, version: extras.version },
    environment_id: scope.output('environment', environment),
    title: extras.title,
    vault_ids: [...vaults].map((vault) => scope.output('vault', vault)),
    resources: distinct([
      ...extras.resources,
      ...extras.memoryStores.map((store) => storeResource(scope.output('memory_store', store))),
      ...agentResources(agent, scope),
    ]),
  }
}

/** `access` is always said, because its default is written nowhere. */
export function storeResource(id: string, more: { readonly access?: string; readonly instructions?: string } = {}) {
  const { access = 'read_write', instructions } = more
  return { type: 'memory_store', memory_store_id: id, access, instructions } satisfies JsonObject
}

export function fileResource(id: string, path: string | undefined) {
  return {
    type: 'file',
    file_id: id,
    mount_path: path === undefined ? undefined : mountPath(mountRoot, path),
  } satisfies JsonObject
}

/** Explicit resources come before the shorthand for the same store (agent configuration 2.14). */
function* agentResources({ files, memory_stores, resources }: AgentBody, scope: Scope): Iterable<JsonObject> {
  for (const resource of resources ?? [])
    if (resource.type === 'memory_store')
      yield storeResource(scope.output('memory_store', resource.memory_store), resource)
  for (const store of memory_stores ?? []) yield storeResource(scope.output('memory_store', store))
  for (const file of files ?? [])
    if (typeof file !== 'string') yield fileResource(scope.output('file', file.file), file.mount_path)
}

/** The first of each store, and of each file at a path. */
function distinct(resources: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Map<string, JsonObject>()
  for (const resource of resources) {
    const { memory_store_id, file_id, mount_path } = resource
    const key = JSON.stringify([memory_store_id, file_id, mount_path])
    if (!seen.has(key)) seen.set(key, resource)
  }
  return [...seen.values()]
}

function withoutEnvironment(name: string) {
  return problem('ark.session-without-environment', 'A session needs an environment', {
    detail: `Neither the agent ${name} nor the request for a session names one.`,
    fix: 'Give the agent an environment, or name one for the session.',
  })
}
