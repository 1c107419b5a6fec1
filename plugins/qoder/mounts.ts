// Mounts of managed sessions and deployments. The wire has an array; the compared tree is a map by mount path, and by
// id for stores, whose path the server chooses.
import { basename } from 'node:path/posix'
import type { Scope } from '../../core/plugin/scope.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { mountPath } from '../shared/mount-path.js'
import { wireCheckout } from '../shared/session-mounts.js'
import type { SessionFile, SessionResource } from '../shared/session-parts.js'
import { objectOf } from '../shared/wire.js'
import { mountRoot, workspace } from './mount-root.js'

export function desiredMounts(resources: readonly SessionResource[], scope: Scope): Tree {
  return Object.fromEntries(
    resources.map((resource): readonly [string, Tree] => {
      if (resource.type === 'memory_store') {
        const { type, memory_store, access = 'read_write', instructions } = resource
        return [scope.output('memory_store', memory_store), { type, access, instructions }]
      }
      if (resource.type === 'file') return [fileMountPath(resource), { type: 'file', file_id: resource.id }]
      const { url, checkout, authorization_token } = resource
      const path = mountPath(mountRoot, resource.mount_path ?? repositoryPath(url))
      return [path, { type: 'github_repository', url, checkout: wireCheckout(checkout), authorization_token }]
    }),
  )
}

export function wireMounts(mounts: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(mounts)).map(([key, mount]) => {
    const { type, ...rest } = objectOf(mount)
    return type === 'memory_store' ? { type, memory_store_id: key, ...rest } : { type, ...rest, mount_path: key }
  })
}

/** Returns the mount path, which is always sent, because the server's default is undocumented. */
export function fileMountPath({ id, mountPath: written }: SessionFile): string {
  return mountPath(mountRoot, written ?? `${workspace}/${id}`)
}

/** Default mount of repositories. */
export function repositoryPath(url: string): string {
  return `${workspace}/${repositoryName(url)}`
}

export function repositoryName(url: string): string {
  return basename(url.replace(/\/+$/, '')).replace(/\.git$/, '')
}
