// Compares a declaration with the object at the provider: the changes that a plan would make.

import { Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { buildResource, marks, type Placement } from '../graph/resource.js'
import { baseOf, isSensitiveHash } from '../plan/base.js'
import { compare } from '../plan/compare.js'
import { fieldOf, type LeafHasher, partKeyOf } from '../plan/hasher.js'
import { type ObservedPart, present } from '../plan/observation.js'
import type { KnownOutputs } from '../plan/outputs.js'
import type { PlannedLeaf } from '../plan/plan.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Handler } from '../plugin/handler.js'
import type { Registry } from '../plugin/registry.js'
import type { Row } from '../state/row.js'
import { placeholdersIn } from '../value/placeholder.js'
import { canonical, type Json, type LeafPath, leafPath, leavesOf, type Tree } from '../value/tree.js'
import { addressOf, type Discovered } from './discover.js'

export interface DifferencesRequest {
  readonly project: Project
  readonly registry: Registry
  readonly projectName: string
  readonly rows: ReadonlyMap<string, Row>
  readonly values: KnownOutputs
  readonly hasher: LeafHasher
}

/**
 * Returns leaves that differ, are visible at the provider and belong to this declaration. `isTheirs` marks parts that
 * belong to others (memory entries). Undefined for a body that this handler cannot map.
 */
export async function differences(
  request: DifferencesRequest,
  object: Discovered,
  declaration: Declaration,
): Promise<readonly (PlannedLeaf & { readonly isTheirs: boolean })[] | undefined> {
  const { handler } = object
  const { rows, values, hasher } = request
  const address = addressOf(object, declaration.name)
  try {
    const resource = resourceOf(request, object, declaration)
    const found = present(handler, object.object.id, object.object.remote, partsOf(object))
    const partPolicy = handler.parts?.policy(declaration) ?? 'own'
    const parts = Object.fromEntries([...found.parts].map(([key, { id }]) => [key, id]))
    const row = rows.get(address) ?? { id: object.object.id, form: handler.form, leaves: {}, parts }
    const { changes } = await compare({ handler, desired: resource.desired, row, found, partPolicy, values, hasher })
    const followed = followedLeaves(resource.desired)
    return changes
      .filter(({ path }) => isVisible(handler, path) && !followed.has(path))
      .map((leaf) => ({ ...leaf, isTheirs: partPolicy !== 'own' && partKeyOf(handler, leaf.path) !== undefined }))
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function resourceOf(
  { project, registry, projectName, rows }: Omit<DifferencesRequest, 'values' | 'hasher'>,
  object: Discovered,
  declaration: Declaration,
): Resource {
  return buildResource(placementOf({ project, registry, projectName, rows }, object, declaration))
}

export function placementOf(
  { project, registry, projectName, rows }: Omit<DifferencesRequest, 'values' | 'hasher'>,
  object: Discovered,
  declaration: Declaration,
): Placement {
  const { handler, provider, api } = object
  return {
    request: { project, registry, projectName, rows, targets: ({ providers }) => providers.names },
    providerName: provider,
    declaration,
    address: addressOf(object, declaration.name),
    api,
    handler,
    removeAfter: [],
  }
}

/**
 * Returns leaves that are secret according to state and that the declaration contains in plain text, with another value
 * than in `before`.
 */
export function secretsReported(
  request: Omit<DifferencesRequest, 'values' | 'hasher'>,
  object: Discovered,
  before: Declaration | undefined,
  after: Declaration,
): readonly LeafPath[] {
  const { handler } = object
  const row = request.rows.get(addressOf(object, after.name))
  if (!row) return []
  const leaves = (declaration: Declaration | undefined) =>
    declaration ? leavesOf(resourceOf(request, object, declaration).desired) : new Map<LeafPath, Json>()
  try {
    const current = leaves(before)
    return [...leaves(after)].flatMap(([path, value]) => {
      const base = baseOf(handler, row, path)
      const isReported =
        base && isSensitiveHash(base.desired) && !hasVariable(value) && !fieldOf(handler, path).writeOnly
      return isReported && canonical(current.get(path) ?? null) !== canonical(value) ? [path] : []
    })
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

export function tellsSecret(...given: Parameters<typeof secretsReported>): boolean {
  return secretsReported(...given).length > 0
}

function hasVariable(value: Json): boolean {
  return placeholdersIn(value).some(({ type }) => type === 'variable')
}

/**
 * Returns leaves with an output of another resource (its newest version): the next apply changes them, and writing them
 * would pin the version.
 */
function followedLeaves(desired: Tree): ReadonlySet<LeafPath> {
  const isFollowed = (value: Json) => placeholdersIn(value).some((one) => one.type === 'output' && one.output !== 'id')
  return new Set([...leavesOf(desired)].flatMap(([path, value]) => (isFollowed(value) ? [path] : [])))
}

/** True if the leaf can be read back and is no ownership mark. */
function isVisible(handler: Handler, path: LeafPath): boolean {
  const field = fieldOf(handler, path)
  if (field.writeOnly || field.local) return false
  return handler.mark === undefined || !Object.values(marks).some((key) => path === leafPath([handler.mark ?? '', key]))
}

function partsOf({ handler, object }: Discovered): ReadonlyMap<string, ObservedPart> {
  const { parts } = handler
  if (!parts) return new Map()
  return new Map(
    [...object.parts].map(([key, remote]) => [key, { id: parts.id(remote), remote, tree: parts.observed(remote) }]),
  )
}
