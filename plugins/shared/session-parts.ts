// Parts of a session: those of its agent, and additions for this session. A run of a deployment is such a session too.
import { basename } from 'node:path/posix'
import type { Scope } from '../../core/plugin/scope.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { FileBody } from '../kinds/file.js'
import { mountPlace } from './mount-path.js'
import { sharedProblem } from './problems.js'

type AgentResource = NonNullable<AgentBody['resources']>[number]

/** Resource of a session: a memory store by logical name, or a file by a placeholder for its id. */
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

/** Contents of a session, by logical names. */
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

/** Returns the parts of a session for APIs that require an environment. */
export function sessionParts(agent: NamedAgent, extras: SessionExtras, scope: Scope): SessionParts {
  const { environment, ...rest } = sessionContents(agent, extras, scope)
  if (environment === undefined)
    throw sharedProblem(scope.provider)(`${scope.provider}.session-without-environment`, {
      detail: `Neither the agent ${agent.name} nor the request for a session names one.`,
    })
  return { environment, ...rest }
}

/**
 * Returns the contents of a session. An addition takes precedence over the agent's resource at the same path. For a
 * store, a full resource takes precedence over any shorthand (agent configuration 2.14), so that naming it again never
 * widens access.
 */
export function sessionContents({ body }: NamedAgent, extras: SessionExtras, scope: Scope): SessionContents {
  refuseDuplicateMounts(extras, scope)
  const vaults = new Set([...(body.vault === undefined ? [] : [body.vault]), ...extras.vaults])
  const shorthand = [...extras.memoryStores, ...(body.memory_stores ?? [])].map(wholeStore)
  const resources = [...extras.resources, ...(body.resources ?? []), ...shorthand, ...agentFiles(body, scope)]
  return {
    environment: extras.environment ?? body.environment,
    vaults: [...vaults],
    resources: distinct(resources, extras.mountRoot),
  }
}

/** Returns a file that is referred to by name, mounted under its own file name. */
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

/** Refuses additions that would be dropped because another one has the same path: both were requested explicitly. */
export function refuseDuplicateMounts(
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

/** Returns the first resource of each path. */
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
