// Deployments as agents.yaml says them.
import { basename } from 'node:path/posix'
import type { RemoteIndex } from '../../core/plugin/handler.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { declared, declaredMetadata } from '../shared/declared.js'
import { mountPathProblem } from '../shared/mount-path.js'
import { objectOf, objectsOf } from './answers.js'
import { mountRoot } from './mount-root.js'
import { uploadPath } from './mounts.js'

export const iterationsDefault = 3

/** From the compared tree; undefined where it uses what the project cannot name, or mounts what it cannot say. */
export function declaredDeployment(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const { description, environment_id, metadata } = tree
  const { id, version } = objectOf(tree['agent'])
  const { expression, timezone } = objectOf(tree['schedule'])
  const agent = index.name('agent', String(id))
  const environment = index.name('environment', String(environment_id))
  const vaults = textsOf(tree['vault_ids']).map((vault) => index.name('vault', vault))
  const mounts = Object.entries(objectOf(tree['resources'])).map(([key, mount]) =>
    declaredMount(key, objectOf(mount), index),
  )
  if (agent === undefined || environment === undefined || [...vaults, ...mounts].includes(undefined)) return undefined
  const events = objectsOf(tree['initial_events']).map(declaredEvent)
  return {
    ...declared({ description, agent, environment, vaults: textsOf(vaults) }),
    // Whether somebody chose the version or took the newest shows nowhere; said, it stays what it is.
    agent_version: Number(version),
    ...(mounts.length > 0 ? { resources: mounts.filter(isObject) } : {}),
    ...declared({
      initial_events: events,
      schedule: { expression, timezone },
      metadata: declaredMetadata(metadata),
    }),
  }
}

function declaredMount(key: string, mount: JsonObject, index: RemoteIndex): JsonObject | undefined {
  const { type, access, instructions, file_id, url, checkout } = mount
  if (type === 'memory_store') {
    const memory_store = index.name('memory_store', key)
    const isDefault = access === 'read_write'
    if (memory_store === undefined) return undefined
    return declared({ type, memory_store, access: isDefault ? undefined : access, instructions })
  }
  if (type === 'file' && key === uploadPath(String(file_id))) return declared({ type, file_id })
  if (mountPathProblem(mountRoot, key) !== undefined) return undefined
  if (type === 'file') return declared({ type, file_id, mount_path: key })
  const address = String(url)
  const { name: branch, sha: commit } = objectOf(checkout)
  const token = index.secret(['resources', address, 'authorization_token'], index.self, basename(address), 'token')
  const mount_path = key === `${mountRoot}/${basename(address)}` ? undefined : key
  return {
    ...declared({ type: 'git_repository', url, mount_path, checkout: { branch, commit } }),
    authorization_token: token,
  }
}

function declaredEvent({ type, content, description, rubric, max_iterations }: JsonObject): JsonObject {
  if (type !== 'user.define_outcome') return { type, content: declaredText(content) }
  const { type: form, content: text } = objectOf(rubric)
  return {
    type,
    description,
    rubric: form === 'text' ? text : rubric,
    max_iterations: max_iterations === iterationsDefault ? undefined : max_iterations,
  }
}

/** One block of text is written as the text alone. */
function declaredText(content: Json | undefined): Json | undefined {
  const blocks = objectsOf(content)
  return blocks.length === 1 ? blocks[0]?.['text'] : blocks
}

function textsOf(value: Json | readonly (string | undefined)[] | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
