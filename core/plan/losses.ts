// Finds what a change would erase at the provider although agents.yaml cannot express it, so that the plan names it
// before it happens.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { fieldAt } from '../plugin/fields.js'
import { keepUndeclared, undeclaredMembers } from '../plugin/undeclared.js'
import { diagnostic } from '../problems/index.js'
import { leafKeys, leafPath, type Tree } from '../value/tree.js'
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
  if (action === 'replace') return undeclaredMembers(handler, { observed, remote })
  if (action !== 'update') return []
  const { own, parts } = splitParts(handler, desired)
  const touchesObject = leaves.some(({ path }) => partKeyOf(handler, path) === undefined)
  const lost = touchesObject ? keepUndeclared(handler, { desired: own, observed, remote }).lost : []
  return [...lost, ...lossesOfParts({ resource, desired, found, action, leaves }, parts)]
}

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
    return lost.map((place) => `${parts.name}.${key}.${place}`)
  })
}

/** Effect that consent is asked for: nothing here can restore the settings. */
export const lossEffect = 'erases settings that agents.yaml cannot express'

export function lossNotes({ address }: Resource, lost: readonly string[]): readonly Diagnostic[] {
  if (lost.length === 0) return []
  return [
    diagnostic('plan.undeclared-lost', {
      address,
      detail: `The object has ${lost.join(', ')}, which agents.yaml cannot express and this change erases.`,
    }),
  ]
}
