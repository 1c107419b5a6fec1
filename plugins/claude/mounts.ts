// Mounts of sessions and deployments. The wire has an array; the compared tree is a map by mount path, and by id for
// stores, whose path the server chooses.
import { basename } from 'node:path/posix'
import type { Scope } from '../../core/plugin/scope.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { mountPath } from '../shared/mount-path.js'
import { wireCheckout } from '../shared/session-mounts.js'
import type { SessionResource } from '../shared/session-parts.js'
import { objectOf } from '../shared/wire.js'
import { mountRoot } from './mount-root.js'

const repository = 'github_repository'

/** Default mount of files. */
export const uploadPath = (fileId: string): string => `/mnt/session/uploads/${fileId}`

export function desiredMounts(resources: readonly SessionResource[], scope: Scope): Tree {
  return Object.fromEntries(
    resources.map((resource): readonly [string, Tree] => {
      if (resource.type === 'memory_store') {
        const { type, memory_store, access = 'read_write', instructions } = resource
        return [scope.output('memory_store', memory_store), { type, access, instructions }]
      }
      if (resource.type === 'file') {
        const { type, id, mountPath: written } = resource
        return [written === undefined ? uploadPath(id) : mountPath(mountRoot, written), { type, file_id: id }]
      }
      const { checkout, authorization_token } = resource
      const url = repositoryUrl(resource.url)
      const path = mountPath(mountRoot, resource.mount_path ?? repositoryPath(url))
      return [path, { type: repository, url, checkout: wireCheckout(checkout), authorization_token }]
    }),
  )
}

export function wireMounts(mounts: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(mounts)).map(([key, mount]) => {
    const { type, file_id, ...rest } = objectOf(mount)
    if (type === 'memory_store') return { type, memory_store_id: key, ...rest }
    if (type !== 'file') return { type, mount_path: key, ...rest }
    return { type, file_id, ...(key === uploadPath(String(file_id)) ? {} : { mount_path: key }) }
  })
}

/** Returns the address without the suffix `.git`, which the server refuses. */
export function repositoryUrl(written: string): string {
  return written.replace(/\/+$/, '').replace(/\.git$/, '')
}

/** Default mount of repositories. */
export function repositoryPath(url: string): string {
  return basename(repositoryUrl(url))
}
