// What a session is made of: what its agent brings along to each of its sessions, and what is added for this one. A run
// of a deployment is such a session too.
import { basename } from 'node:path/posix'
import type { Scope } from '../../core/plugin/scope.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { FileBody } from '../kinds/file.js'
import { mountPlace } from './mount-path.js'
import { sharedProblem } from './problems.js'

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
  /** Folder that relative paths are resolved against, so that two spellings of one place count as one. */
  readonly mountRoot: string
}

/** Logical names. */
export interface SessionContents {
  readonly environment: string | undefined
  readonly vaults: readonly string[]
  readonly resources: readonly SessionResource[]
}

export interface SessionParts extends SessionContents {
  readonly environment: string
}

interface NamedAgent {
  readonly name: string
  readonly body: AgentBody
}

/** Rule of APIs whose sessions need an environment. */
export function sessionParts(agent: NamedAgent, extras: SessionExtras, scope: Scope): SessionParts {
  const { environment, ...rest } = sessionContents(agent, extras, scope)
  if (environment === undefined)
    throw sharedProblem(scope.provider)(`${scope.provider}.session-without-environment`, {
      detail: `Neither the agent ${agent.name} nor the request for a session names one.`,
    })
  return { environment, ...rest }
}

/**
 * What is added wins over the agent's own for the same place. Of a store, what a resource says in full wins over any
 * shorthand (agent configuration 2.14), so that naming one more never widens an access.
 */
export function sessionContents({ body }: NamedAgent, extras: SessionExtras, scope: Scope): SessionContents {
  refuseTwoInOnePlace(extras, scope)
  const vaults = new Set([...(body.vault === undefined ? [] : [body.vault]), ...extras.vaults])
  const shorthand = [...extras.memoryStores, ...(body.memory_stores ?? [])].map(wholeStore)
  const resources = [...extras.resources, ...(body.resources ?? []), ...shorthand, ...agentFiles(body, scope)]
  return {
    environment: extras.environment ?? body.environment,
    vaults: [...vaults],
    resources: distinct(resources, extras.mountRoot),
  }
}

/** A file that is only named is mounted under its own name. */
export function namedFile(file: string, scope: Scope): SessionFile {
  const body = scope.project.find('file', file)?.body as FileBody | undefined // The kind says which body it is.
  return { type: 'file', id: scope.output('file', file), mountPath: body && basename(body.source) }
}

function wholeStore(store: string): SessionResource {
  return { type: 'memory_store', memory_store: store }
}

function* agentFiles({ files }: AgentBody, scope: Scope): Iterable<SessionFile> {
  for (const file of files ?? [])
    if (typeof file !== 'string')
      yield { type: 'file', id: scope.output('file', file.file), mountPath: file.mount_path }
}

/** Refuses additions for one session that would be left out: they were asked for explicitly. */
export function refuseTwoInOnePlace(
  { resources, mountRoot }: Pick<SessionExtras, 'resources' | 'mountRoot'>,
  scope: Scope,
): void {
  const seen = new Map<string, SessionFile>()
  for (const resource of resources) {
    if (resource.type !== 'file' || resource.mountPath === undefined) continue
    const place = mountPlace(mountRoot, resource.mountPath)
    if ((seen.get(place)?.id ?? resource.id) !== resource.id)
      throw sharedProblem(scope.provider)(`${scope.provider}.session-mount-repeated`, {
        detail: `Two of the files that the request names would be mounted at ${place}.`,
      })
    seen.set(place, resource)
  }
}

/** The first of those in one place. */
export function distinct<Resource extends SessionResource>(
  resources: readonly Resource[],
  root: string,
): readonly Resource[] {
  const seen = new Map<string, Resource>()
  for (const resource of resources) {
    const key = keyOf(resource, root)
    if (!seen.has(key)) seen.set(key, resource)
  }
  return [...seen.values()]
}

function keyOf(resource: SessionResource, root: string): string {
  if (resource.type === 'memory_store') return `store ${resource.memory_store}`
  const path = resource.type === 'file' ? resource.mountPath : resource.mount_path
  if (path !== undefined) return `path ${mountPlace(root, path)}`
  return resource.type === 'file' ? `file ${resource.id}` : `repository ${resource.url}`
}
