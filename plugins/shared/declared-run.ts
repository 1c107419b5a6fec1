// Derives the parts of a deployment's declaration that are the same for all APIs.
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { declared, declaredMetadata, ownName } from './declared.js'
import { objectOf } from './wire.js'

/** Parts of the declaration that differ between APIs; undefined if agents.yaml cannot express one. */
export interface DeclaredRunParts {
  readonly resources: readonly (JsonObject | undefined)[]
  readonly initialEvents: readonly (JsonObject | undefined)[]
}

/**
 * Returns the declaration for the compared tree; undefined if it uses an object that the project cannot name, or a
 * part cannot be declared.
 */
export function declaredRun(
  tree: Tree,
  { resources, initialEvents }: DeclaredRunParts,
  index: RemoteIndex,
): JsonObject | undefined {
  const { description, environment_id, environment_variables, metadata } = tree
  const { id, version } = objectOf(tree['agent'])
  const { expression, timezone } = objectOf(tree['schedule'])
  const agent = index.name('agent', String(id))
  const environment = typeof environment_id === 'string' ? index.name('environment', environment_id) : null
  const vaults = textsOf(tree['vault_ids']).map((vault) => index.name('vault', vault))
  if ([agent, environment, ...vaults].includes(undefined))
    return index.cannotSay('it uses something that agents.yaml does not declare')
  if (resources.includes(undefined)) return index.cannotSay('it mounts something that agents.yaml cannot express')
  if (initialEvents.includes(undefined))
    return index.cannotSay('it starts with an event that agents.yaml cannot express')
  return {
    ...declared({ name: ownName(tree['name'], index), description, agent, environment, vaults: textsOf(vaults) }),
    // The API does not show whether the version was chosen or was just the newest one, so it is declared.
    agent_version: Number(version),
    ...(resources.length > 0 ? { resources: resources.filter(isObject) } : {}),
    ...declared({
      environment_variables,
      initial_events: initialEvents.filter(isObject),
      schedule: { expression, timezone },
      metadata: declaredMetadata(metadata),
    }),
  }
}

/**
 * Returns the initial events, including outcomes. `iterationsDefault` is the maximum number of iterations that is left
 * out, because it is the default.
 */
export function declaredStart(
  { type, content, description, rubric, max_iterations }: JsonObject,
  index: RemoteIndex,
  { iterationsDefault }: { readonly iterationsDefault?: number } = {},
): JsonObject {
  if (type !== 'user.define_outcome') return { type, content: declaredText(content) }
  return {
    type,
    description,
    ...declaredRubric(rubric, index),
    max_iterations: max_iterations === iterationsDefault ? undefined : max_iterations,
  }
}

/** Returns the rubric as a path if this project uploaded its file, otherwise as an id or text. */
function declaredRubric(rubric: Json | undefined, index: RemoteIndex): JsonObject {
  const { type, content, file_id } = objectOf(rubric)
  if (type === 'text') return { rubric: content }
  const rubric_file = type === 'file' ? index.path?.('file', String(file_id)) : undefined
  return rubric_file === undefined ? { rubric } : { rubric_file }
}

/** Returns the reference to a file: the path it was uploaded from, else its id. */
export function declaredFile(file_id: Json | undefined, index: RemoteIndex): JsonObject {
  const source = index.path?.('file', String(file_id))
  return source === undefined ? { type: 'file', file_id } : { type: 'file', source }
}

/** Returns content as declared: a single text block is written as plain text. */
export function declaredText(content: Json | undefined): Json | undefined {
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  return blocks.length === 1 ? blocks[0]?.['text'] : blocks
}

function textsOf(value: Json | readonly (string | undefined)[] | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
