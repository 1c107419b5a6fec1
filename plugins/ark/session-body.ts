// Builds the wire body of a new session.
import type { Scope } from '../../core/plugin/scope.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import { mountPath } from '../shared/mount-path.js'
import type { SessionParts, SessionResource } from '../shared/session-parts.js'
import { mountRoot } from './mount-root.js'

export interface SessionStart {
  /** Logical name of the agent. */
  readonly agent: string
  readonly version?: number | undefined
  readonly title?: string | undefined
}

export function sessionBody({ agent, version, title }: SessionStart, parts: SessionParts, scope: Scope): Tree {
  const id = scope.output('agent', agent)
  return {
    agent: version === undefined ? id : { type: 'agent', id, version },
    environment_id: scope.output('environment', parts.environment),
    title,
    vault_ids: parts.vaults.map((vault) => scope.output('vault', vault)),
    resources: parts.resources.flatMap((resource) => wireResource(resource, scope)),
  }
}

/**
 * Converts a resource. A repository is left out, because a rule refuses it. `access` is always sent, because its
 * default is undocumented.
 */
function wireResource(resource: SessionResource, scope: Scope): readonly JsonObject[] {
  if (resource.type === 'git_repository') return []
  if (resource.type === 'memory_store') {
    const { type, memory_store, access = 'read_write', instructions } = resource
    return [{ type, memory_store_id: scope.output('memory_store', memory_store), access, instructions }]
  }
  const { type, id, mountPath: path } = resource
  return [{ type, file_id: id, mount_path: path === undefined ? undefined : mountPath(mountRoot, path) }]
}
