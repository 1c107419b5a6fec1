// Derives declarations of deployments.
import { basename } from 'node:path/posix'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import { declared } from '../shared/declared.js'
import { declaredFile, declaredRun, declaredStart } from '../shared/declared-run.js'
import { mountPathProblem } from '../shared/mount-path.js'
import { objectOf, objectsOf, textOf } from '../shared/wire.js'
import { mountRoot, workspace } from './mount-root.js'
import { fileMountPath, repositoryName } from './mounts.js'

/**
 * Returns the declaration for the compared tree; undefined if it uses an object that the project cannot name, or a
 * mount cannot be declared.
 */
export function deploymentBody(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const resources = Object.entries(objectOf(tree['resources'])).map(([key, mount]) =>
    mountBody(key, objectOf(mount), index),
  )
  const initialEvents = objectsOf(tree['initial_events']).map((event) => declaredStart(event, index))
  const body = declaredRun(tree, { resources, initialEvents }, index)
  return body ?? index.cannotSay('it uses something that agents.yaml does not declare')
}

function mountBody(key: string, mount: JsonObject, index: RemoteIndex): JsonObject | undefined {
  const { type, access, instructions, file_id, url, checkout } = mount
  if (type === 'memory_store') {
    const memory_store = index.name('memory_store', key)
    if (memory_store === undefined) return undefined
    const isDefault = access === 'read_write'
    return declared({ type, memory_store, access: isDefault ? undefined : access, instructions })
  }
  if (mountPathProblem(mountRoot, key) !== undefined) return undefined
  if (type === 'file') {
    const isOwn = key === fileMountPath({ type, id: textOf(file_id), mountPath: undefined })
    return declared({ ...declaredFile(file_id, index), mount_path: isOwn ? undefined : key })
  }
  const address = textOf(url)
  const { name: branch, sha: commit } = objectOf(checkout)
  const mount_path = key === `${mountRoot}/${workspace}/${repositoryName(address)}` ? undefined : key
  const token = index.secret(['resources', address, 'authorization_token'], index.self, basename(address), 'token')
  return {
    ...declared({ type: 'git_repository', url, mount_path, checkout: declared({ branch, commit }) }),
    authorization_token: token,
  }
}
