// What a session is made of: what its agent brings along to each of its sessions, and what is added for this one. A run
// of a deployment is such a session too.
import { problem } from '../../core/diagnostic.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { AgentBody } from '../kinds/agent.js'

type AgentResource = NonNullable<AgentBody['resources']>[number]

/** Memory stores by logical name; files by the text that stands for their id. */
export type SessionResource = AgentResource | SessionFile

export interface SessionFile {
  readonly type: 'file'
  readonly id: string
  readonly mountPath: string | undefined
}

export interface SessionExtras {
  readonly environment?: string | undefined
  readonly vaults: readonly string[]
  readonly memoryStores: readonly string[]
  readonly resources: readonly SessionResource[]
}

/** Logical names. */
export interface SessionParts {
  readonly environment: string
  readonly vaults: readonly string[]
  readonly resources: readonly SessionResource[]
}

interface NamedAgent {
  readonly name: string
  readonly body: AgentBody
}

/** What is added wins over the agent's own for the same store, or the same place. */
export function sessionParts({ name, body }: NamedAgent, extras: SessionExtras, scope: Scope): SessionParts {
  const environment = extras.environment ?? body.environment
  if (environment === undefined)
    throw problem(`${scope.provider}.session-without-environment`, 'A session needs an environment', {
      detail: `Neither the agent ${name} nor the request for a session names one.`,
      fix: 'Give the agent an environment, or name one for the session.',
    })
  const vaults = new Set([...(body.vault === undefined ? [] : [body.vault]), ...extras.vaults])
  const resources = [...extras.resources, ...extras.memoryStores.map(wholeStore), ...agentResources(body, scope)]
  return { environment, vaults: [...vaults], resources: distinct(resources) }
}

function wholeStore(store: string): SessionResource {
  return { type: 'memory_store', memory_store: store }
}

/** Explicit resources come before the shorthand for the same store (agent configuration 2.14). */
function* agentResources({ files, memory_stores, resources }: AgentBody, scope: Scope): Iterable<SessionResource> {
  yield* resources ?? []
  yield* (memory_stores ?? []).map(wholeStore)
  for (const file of files ?? [])
    if (typeof file !== 'string')
      yield { type: 'file', id: scope.output('file', file.file), mountPath: file.mount_path }
}

function distinct(resources: readonly SessionResource[]): readonly SessionResource[] {
  const seen = new Map<string, SessionResource>()
  for (const resource of resources) {
    const key = keyOf(resource)
    if (!seen.has(key)) seen.set(key, resource)
  }
  return [...seen.values()]
}

function keyOf(resource: SessionResource): string {
  if (resource.type === 'memory_store') return `store ${resource.memory_store}`
  if (resource.type === 'file') return `file ${resource.mountPath ?? resource.id}`
  return `repository ${resource.mount_path ?? resource.url}`
}
