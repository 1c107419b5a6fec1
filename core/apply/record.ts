// Rows that an apply writes: with desired values before a change, and with observed values after it.

import type { Resource } from '../graph/resource.js'
import { absentHash, leafHashes } from '../plan/base.js'
import { comparable, fieldOf, hashLeaf, type LeafHasher, partKeyOf } from '../plan/hasher.js'
import { observedLeaves, type Present, splitParts } from '../plan/observation.js'
import { expandOutputs, resolveLeaf, type Values } from '../plan/values.js'
import { isShared } from '../plugin/fields.js'
import type { Field } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import { placeholdersIn } from '../value/placeholder.js'
import type { Json, LeafPath } from '../value/tree.js'
import { leavesOf, type Tree } from '../value/tree.js'

interface WantedLeaf {
  readonly field: Field
  readonly hash: string
  /** Values of variables inside the tree. Observed leaves that contain one are hashed with the same key. */
  readonly secrets: readonly string[]
}

/** Hashes of the leaves that a resource wants. Each is computed once, however often a change records it. */
export class WantedLeaves {
  readonly #values: Values
  readonly #hasher: LeafHasher
  readonly #desired: ReadonlyMap<LeafPath, Json>
  readonly #leaves = new Map<LeafPath, WantedLeaf>()

  /** Creates the leaves. Every placeholder of the resource must have a value by now. */
  constructor(
    readonly resource: Resource,
    { values, hasher }: { readonly values: Values; readonly hasher: LeafHasher },
  ) {
    this.#values = values
    this.#hasher = hasher
    this.#desired = leavesOf(expandOutputs(resource.desired, values))
  }

  /**
   * Returns the hashes of all leaves, desired and observed. `parts` are the existing parts; leaves of others are not
   * recorded. `found` is absent before the effect.
   */
  async recorded(parts: Readonly<Record<string, string>> = {}, found?: Present): Promise<Row['leaves']> {
    const { handler } = this.resource
    const isRecorded = (path: LeafPath) => {
      const key = partKeyOf(handler, path)
      return key === undefined || parts[key] !== undefined
    }
    const observed = found ? observedLeaves(handler, found, new Set(Object.keys(parts))) : new Map<LeafPath, Json>()
    const leaves: Record<LeafPath, Row['leaves'][string]> = {}
    for (const path of [...new Set([...this.#desired.keys(), ...observed.keys()])].sort()) {
      if (!isRecorded(path)) continue
      const { field, hash, secrets } = this.#leaves.get(path) ?? (await this.#leaf(path))
      if (hash === absentHash && isShared(field)) continue
      const current = observed.get(path)
      const observedHash = current === undefined ? absentHash : await hashLeaf(this.#hasher, field, current, secrets)
      leaves[path] = leafHashes(hash, !found || field.writeOnly ? null : observedHash)
    }
    return leaves
  }

  async #leaf(path: LeafPath): Promise<WantedLeaf> {
    const field = fieldOf(this.resource.handler, path)
    const wanted = this.#desired.get(path)
    const resolved = wanted === undefined ? undefined : resolveLeaf(wanted, this.#values)
    const secrets = resolved?.type === 'known' ? resolved.secrets : []
    const hash =
      resolved?.type === 'known'
        ? await hashLeaf(this.#hasher, field, comparable(field, resolved.value), secrets)
        : absentHash
    const leaf = { field, hash, secrets }
    this.#leaves.set(path, leaf)
    return leaf
  }
}

/** Returns the outputs (`address#output`) that the resource is applied with, and their values. */
export function recordInputs({ desired, follows, removeAfter }: Resource, values: Values): Record<string, string> {
  const inputs: Record<string, string> = {}
  for (const found of placeholdersIn([desired, ...follows])) {
    // An input prevents the removal of its source until this row is gone. A resource that must be removed before this
    // one can therefore not be an input.
    if (found.type !== 'output' || removeAfter.includes(found.address)) continue
    const value = values.output(found.address, found.output)
    if (value !== undefined) inputs[`${found.address}#${found.output}`] = value
  }
  return inputs
}

/** Returns the members of a row that follow from the resource alone. */
export function rowFor(resource: Resource, values: Values): Omit<Row, 'id' | 'leaves'> {
  const inputs = recordInputs(resource, values)
  return {
    form: resource.handler.form,
    ...(resource.api ? { api: resource.api } : {}),
    ...(resource.declaration.providers.by === 'pin' ? { target: 'pin' as const } : {}),
    ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
    ...(resource.sessionUses ? { sessionUses: [...resource.sessionUses] } : {}),
    ...(resource.removeAfter.length > 0 ? { removeAfter: [...resource.removeAfter] } : {}),
  }
}

/** Returns the desired tree with every placeholder expanded, and its parts separately. */
export function expandDesired(resource: Resource, values: Values): ReturnType<typeof splitParts> {
  const resolved = resolveLeaf(resource.desired, values)
  if (resolved.type !== 'known') throw new Error(`${resource.address}: a placeholder is still open`)
  return splitParts(resource.handler, resolved.value as Tree)
}
