// The body of a new session: what an agent brings along to each of its sessions, and what is added for this one.
import { basename } from 'node:path/posix'
import { problem } from '../../core/diagnostic.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { SessionRequest } from '../../core/plugin/sessions.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent.js'
import type { FileBody } from '../kinds/file.js'
import { mountPath } from '../shared/mount-path.js'
import { refuseOptions } from '../shared/session-options.js'
import { mountRoot } from './mount-root.js'

export const memoryStoresMax = 8

/** What other providers let a session have, and why this one does not. */
const refusedOptions = {
  identity: 'End users are unknown to Bailian.',
  tunnel: 'Bailian has no way into private networks.',
} as const

export function sessionBody(name: string, agent: AgentBody, request: SessionRequest, scope: Scope): Tree {
  refuseOptions(scope.provider, request, refusedOptions)
  const environment = request.environment ?? agent.environment
  const vaults = new Set([...(agent.vault === undefined ? [] : [agent.vault]), ...request.vaults])
  return {
    agent: scope.output('agent', name),
    environment_id: environment === undefined ? undefined : scope.output('environment', environment),
    title: request.title,
    vault_ids: [...vaults].map((vault) => scope.output('vault', vault)),
    environment_variables: request.variables,
    resources: [...storeResources(agent, request.memoryStores, scope), ...fileResources(agent, request.files, scope)],
  }
}

/** An explicit resource wins over the shorthand for the same store (agent configuration 2.14). */
function storeResources(agent: AgentBody, extra: readonly string[], scope: Scope): readonly JsonObject[] {
  const explicit = (agent.resources ?? []).flatMap((item) => (item.type === 'memory_store' ? [item] : []))
  const stores = new Map<string, { readonly access?: string; readonly instructions?: string }>([
    ...explicit.map((resource) => [resource.memory_store, resource] as const),
    ...[...(agent.memory_stores ?? []), ...extra]
      .filter((store) => !explicit.some(({ memory_store }) => memory_store === store))
      .map((store) => [store, {}] as const),
  ])
  if (stores.size > memoryStoresMax)
    throw problem('bailian.too-many-memory-stores', 'A session mounts too many memory stores', {
      detail: `A session of Bailian mounts at most ${memoryStoresMax} distinct memory stores; these are ${stores.size}.`,
      fix: 'Mount fewer stores.',
    })
  return [...stores].map(([store, { access = 'read_write', instructions }]) => ({
    type: 'memory_store',
    memory_store_id: scope.output('memory_store', store),
    access,
    instructions,
  }))
}

/** A file that is only named is mounted under its own name. */
function fileResources({ files }: AgentBody, extra: readonly string[], scope: Scope): readonly JsonObject[] {
  const declared = (files ?? []).flatMap((file) => (typeof file === 'string' ? [] : [file]))
  const named = extra.map((file) => ({ file, mount_path: nameOf(file, scope) }))
  return [...declared, ...named].map(({ file, mount_path }) => ({
    type: 'file',
    file_id: scope.output('file', file),
    mount_path: mountPath(mountRoot, mount_path),
  }))
}

function nameOf(file: string, { project }: Scope): string {
  const body = project.find('file', file)?.body as FileBody | undefined // The kind says which body it is.
  return body === undefined ? file : basename(body.source)
}
