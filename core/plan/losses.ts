// Finds what a change would erase at the provider although it does not stand in agents.yaml, so that the plan names it
// before it happens.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { fieldAt } from '../plugin/fields.js'
import { keepUndeclared, undeclaredMembers } from '../plugin/undeclared.js'
import { diagnostic } from '../problems/index.js'
import { isEmpty, type LeafPath, leafKeys, leafPath, leavesOf, pathText, type Tree } from '../value/tree.js'
import { partKeyOf } from './hasher.js'
import { type Present, splitParts } from './observation.js'
import type { Action, PlannedLeaf } from './plan.js'

export interface LossRequest {
  readonly resource: Resource
  /** Desired tree with the outputs that are known. */
  readonly desired: Tree
  readonly found: Present
  readonly action: Action
  readonly leaves: readonly PlannedLeaf[]
}

/** Returns the places of undeclared members that do not survive the change, `config.networking.blocked_hosts`. */
export function lossesOf({ resource, desired, found, action, leaves }: LossRequest): readonly string[] {
  const { handler } = resource
  if (leaves.length === 0 || handler.isStateOnly) return []
  const { observed, remote } = found
  const { own, parts } = splitParts(handler, desired)
  const others = leavesOfOthers({ resource, desired: own, found, action, leaves })
  if (action === 'replace') return [...undeclaredMembers(handler, { observed, remote }), ...others.map(placeOf)]
  if (action !== 'update') return []
  const touchesObject = leaves.some(({ path }) => partKeyOf(handler, path) === undefined)
  const kept = touchesObject ? keepUndeclared(handler, { desired: own, observed, remote }) : undefined
  const ended = [...(kept?.retyped ?? []), ...withoutType(leaves, own)]
  const below = others.filter((path) => ended.some((branch) => path.startsWith(`${branch}/`)))
  const ofParts = lossesOfParts({ resource, desired, found, action, leaves }, parts)
  return [...(kept?.lost ?? []), ...below.map(placeOf), ...ofParts]
}

/** Returns the leaves that agents.yaml could express and does not, without those that every such object has. */
function leavesOfOthers({ resource, desired, found, leaves }: LossRequest): readonly LeafPath[] {
  const { fields } = resource.handler
  const stated = new Set([...leavesOf(desired).keys(), ...leaves.map(({ path }) => path)])
  return [...leavesOf(found.observed)].flatMap(([path, value]) => {
    const { owner, usual } = fieldAt(fields, path)
    return owner !== 'declared' || stated.has(path) || isEmpty(value) || value === usual ? [] : [path]
  })
}

/** Returns the branches whose type is no longer declared: they go as a whole. */
function withoutType(leaves: readonly PlannedLeaf[], desired: Tree): readonly LeafPath[] {
  const wanted = leavesOf(desired)
  return leaves.flatMap(({ path }) => {
    const keys = leafKeys(path)
    return keys.length > 1 && keys.at(-1) === 'type' && !wanted.has(path) ? [leafPath(keys.slice(0, -1))] : []
  })
}

const placeOf = (path: LeafPath): string => pathText(leafKeys(path))

function lossesOfParts({ resource, found, leaves }: LossRequest, wanted: ReadonlyMap<string, Tree>): readonly string[] {
  const { parts } = resource.handler
  if (!parts) return []
  const changed = new Set(leaves.flatMap(({ path }) => partKeyOf(resource.handler, path) ?? []))
  return [...changed].flatMap((key) => {
    const desired = wanted.get(key)
    const current = found.parts.get(key)
    if (!desired || !current) return []
    const isRecreated = leaves.some(
      ({ path }) =>
        partKeyOf(resource.handler, path) === key && fieldAt(parts.fields, leafPath(leafKeys(path).slice(2))).immutable,
    )
    const facts = { observed: current.tree, remote: current.remote }
    const lost =
      parts.update && !isRecreated ? keepUndeclared(parts, { ...facts, desired }).lost : undeclaredMembers(parts, facts)
    return lost.map((place) => `${pathText([parts.name, key])}.${place}`)
  })
}

/** Effect that consent is asked for: nothing here restores the settings. */
export const lossEffect = 'erases settings that agents.yaml does not state'

export function lossNotes({ address }: Resource, lost: readonly string[]): readonly Diagnostic[] {
  if (lost.length === 0) return []
  return [
    diagnostic('plan.undeclared-lost', {
      address,
      detail: `The object has ${lost.join(', ')}, which agents.yaml does not state and this change erases.`,
    }),
  ]
}
