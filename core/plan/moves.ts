// Detects renamed resources whose objects are identified by more than their name. Their rows in state move to the new
// addresses, and nothing is replaced.

import type { Resource } from '../graph/resource.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { leavesOf } from '../value/tree.js'
import { absentHash, baseOf } from './base.js'
import { comparable, fieldOf, hashLeaf, type LeafHasher } from './hasher.js'
import type { PlannedLeaf } from './plan.js'
import { resolveLeaf, type Values } from './values.js'

export interface Moves {
  /** All rows; moved ones are under their new addresses. */
  readonly rows: ReadonlyMap<Address, Row>
  /** Old address by new address. */
  readonly from: ReadonlyMap<Address, Address>
}

export interface MovesRequest {
  readonly resources: ReadonlyMap<Address, Resource>
  /** Recorded rows in scope, including those no longer declared. */
  readonly rows: ReadonlyMap<Address, Row>
  /** True if the address is declared, in or out of scope. */
  isDeclared(address: Address): boolean
  readonly values: Values
  readonly hasher: LeafHasher
}

/**
 * Finds renamed resources. If there are two candidates, none is chosen, because a guess could bind an object to the
 * wrong resource.
 */
export async function findMoves(request: MovesRequest): Promise<Moves> {
  const { resources, rows, isDeclared } = request
  const orphans = [...rows].filter(([address, row]) => !isDeclared(address) && isMovable(row))
  const moved = new Map(rows)
  const from = new Map<Address, Address>()
  for (const [address, resource] of resources) {
    if (rows.has(address) || resource.externalId !== undefined) continue
    const identity = await identityOf(request, resource)
    const [only, ...others] = identity ? orphans.filter((orphan) => isSame(resource, identity, orphan)) : []
    if (!only || others.length > 0 || !moved.has(only[0])) continue
    moved.delete(only[0])
    moved.set(address, only[1])
    from.set(address, only[0])
  }
  return { rows: moved, from }
}

/** Returns the leaf by which a plan shows a move: the name that changes. */
export function nameLeaf(from: Address, to: Address): PlannedLeaf {
  const [before, after] = [parseAddress(from).name, parseAddress(to).name]
  return {
    path: '#key',
    label: 'name in agents.yaml',
    before: { type: 'value', value: before },
    after: { type: 'value', value: after },
    cause: 'intent',
    forcesReplacement: false,
    beforeHash: before,
    afterHash: after,
  }
}

function isMovable({ id, ownership, operation }: Row): boolean {
  return id !== null && ownership !== 'external' && operation === undefined
}

/** Returns hashes of the leaves that identify the object, or undefined if one is missing or unknown. */
async function identityOf(
  { values, hasher }: MovesRequest,
  { handler, desired }: Resource,
): Promise<ReadonlyMap<string, string> | undefined> {
  const paths = handler.identifiedBy?.(desired) ?? []
  const leaves = leavesOf(desired)
  const hashes = new Map<string, string>()
  for (const path of paths) {
    const value = leaves.get(path)
    const resolved = value === undefined ? undefined : resolveLeaf(value, values)
    if (resolved?.type !== 'known') return undefined
    const field = fieldOf(handler, path)
    hashes.set(path, await hashLeaf(hasher, field, comparable(field, resolved.value), resolved.secrets))
  }
  return hashes.size > 0 ? hashes : undefined
}

function isSame(
  { handler, provider, kind, api }: Resource,
  identity: ReadonlyMap<string, string>,
  [address, row]: readonly [Address, Row],
): boolean {
  const other = parseAddress(address)
  if (other.provider !== provider || other.kind !== kind || (row.api ?? api) !== api) return false
  return [...identity].every(([path, hash]) => (baseOf(handler, row, path)?.desired ?? absentHash) === hash)
}
