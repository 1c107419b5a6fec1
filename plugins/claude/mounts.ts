// Mounts of sessions and deployments. The wire has an array; the compared tree is a map by mount path, and by id for
// stores, whose path the server chooses.
import { basename } from 'node:path/posix'
import type { FieldTable } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { mountPath } from '../shared/mount-path.js'
import type { SessionResource } from '../shared/session-parts.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import { mountRoot } from './mount-root.js'

export const mountFields = {
  'resources/*/authorization_token': { secret: true, writeOnly: true },
} as const satisfies FieldTable

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

export function observedMounts(resources: Json | undefined): Tree {
  return Object.fromEntries(
    objectsOf(resources).map(({ type, memory_store_id, file_id, mount_path, url, access, instructions, checkout }) => {
      if (type === 'memory_store') return [String(memory_store_id), { type, access, instructions }]
      if (type === 'file') return [String(mount_path), { type, file_id }]
      return [String(mount_path), { type, url, checkout }]
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

type Checkout = Extract<SessionResource, { type: 'git_repository' }>['checkout']

function wireCheckout(checkout: Checkout): Tree | undefined {
  if (checkout?.branch !== undefined) return { type: 'branch', name: checkout.branch }
  return checkout?.commit === undefined ? undefined : { type: 'commit', sha: checkout.commit }
}
