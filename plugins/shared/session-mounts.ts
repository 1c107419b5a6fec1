// Converts mounts of sessions and deployments between the array of an API and the compared map: by mount path, and by
// id for stores, because the provider chooses their path. The paths of files and repositories depend on the provider.
import type { FieldTable } from '../../core/plugin/handler.js'
import type { Json, Tree } from '../../core/value/tree.js'
import type { SessionResource } from './session-parts.js'
import { objectsOf } from './wire.js'

export const mountFields = {
  'resources/*/authorization_token': { secret: true, writeOnly: true },
} as const satisfies FieldTable

export function observedMounts(resources: Json | undefined): Tree {
  return Object.fromEntries(
    objectsOf(resources).map(({ type, memory_store_id, file_id, mount_path, url, access, instructions, checkout }) => {
      if (type === 'memory_store') return [String(memory_store_id), { type, access, instructions }]
      if (type === 'file') return [String(mount_path), { type, file_id }]
      return [String(mount_path), { type, url, checkout }]
    }),
  )
}

type Checkout = Extract<SessionResource, { type: 'git_repository' }>['checkout']

export function wireCheckout(checkout: Checkout): Tree | undefined {
  if (checkout?.branch !== undefined) return { type: 'branch', name: checkout.branch }
  return checkout?.commit === undefined ? undefined : { type: 'commit', sha: checkout.commit }
}
