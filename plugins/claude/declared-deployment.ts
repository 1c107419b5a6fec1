// Derives the declaration of a deployment.
import { basename } from 'node:path/posix'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import { declared } from '../shared/declared.js'
import { declaredFile, declaredRun, declaredStart } from '../shared/declared-run.js'
import { mountPathProblem } from '../shared/mount-path.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import { declaredBudget } from './budget.js'
import { mountRoot } from './mount-root.js'
import { uploadPath } from './mounts.js'

export const iterationsDefault = 3

/**
 * Returns the declaration for the compared tree; undefined if it uses an object that the project cannot name, or a
 * mount cannot be declared.
 */
export function declaredDeployment(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const resources = Object.entries(objectOf(tree['resources'])).map(([key, mount]) =>
    declaredMount(key, objectOf(mount), index),
  )
  const initialEvents = objectsOf(tree['initial_events']).map((event) =>
    declaredStart(event, index, { iterationsDefault }),
  )
  const body = declaredRun(tree, { resources, initialEvents }, index)
  return body && { ...body, ...declaredBudget(tree['budget']) }
}

function declaredMount(key: string, mount: JsonObject, index: RemoteIndex): JsonObject | undefined {
  const { type, access, instructions, file_id, url, checkout } = mount
  if (type === 'memory_store') {
    const memory_store = index.name('memory_store', key)
    const isDefault = access === 'read_write'
    if (memory_store === undefined) return undefined
    return declared({ type, memory_store, access: isDefault ? undefined : access, instructions })
  }
  if (type === 'file' && key === uploadPath(String(file_id))) return declaredFile(file_id, index)
  if (mountPathProblem(mountRoot, key) !== undefined) return undefined
  if (type === 'file') return { ...declaredFile(file_id, index), mount_path: key }
  const address = String(url)
  const { name: branch, sha: commit } = objectOf(checkout)
  const token = index.secret(['resources', address, 'authorization_token'], index.self, basename(address), 'token')
  const mount_path = key === `${mountRoot}/${basename(address)}` ? undefined : key
  return {
    ...declared({ type: 'git_repository', url, mount_path, checkout: { branch, commit } }),
    authorization_token: token,
  }
}
