// Facts that the stages of planning share.
import { createHash } from 'node:crypto'
import type { Resource } from '../graph/resource.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Connections } from './connections.js'
import type { LeafHasher } from './hasher.js'
import type { Observation } from './observation.js'
import type { PlanOptions } from './options.js'
import type { TakenOver } from './taken-over.js'

/** The part of state and journal that planning needs. */
export interface PriorState {
  readonly project: string
  /** Earlier names of the project, which objects may still carry. */
  readonly formerly?: readonly string[]
  readonly lineage: string
  readonly serial: number
  readonly salt: string
  readonly fingerprints: Readonly<Record<string, string>>
  readonly rows: ReadonlyMap<Address, Row>
}

/** Returns the names that this project has, and had. */
export function ownNamesOf({ project, formerly = [] }: Pick<PriorState, 'project' | 'formerly'>): readonly string[] {
  return [project, ...formerly]
}

/** Values that the later stages of planning share. */
export interface PlanningFacts extends PlanOptions {
  readonly hasher: LeafHasher
  readonly prior: PriorState
  readonly connections: Connections
  /** Resources in dependency order. */
  readonly resources: ReadonlyMap<Address, Resource>
  /** Rows in scope. Lost creates have the ids that were found, and renamed rows their new addresses. */
  readonly rows: ReadonlyMap<Address, Row>
  /** Old addresses of renamed resources by new address. */
  readonly movedFrom: ReadonlyMap<Address, Address>
  readonly found: ReadonlyMap<Address, Observation>
  /** Providers whose recorded objects `--recreate` does not touch. */
  readonly elsewhere: ReadonlySet<string>
  /** Objects that other projects have taken over. */
  readonly takenOver: TakenOver
  /** Addresses of objects that still cannot exist. */
  readonly waiting: ReadonlySet<Address>
}

/** Returns a digest that changes with every row. An apply refuses a plan that was made from other rows. */
export function rowsDigest(rows: ReadonlyMap<Address, Row>): string {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
}
