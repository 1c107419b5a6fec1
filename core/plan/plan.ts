// The plan: the changes that an apply would make, leaf by leaf, and the facts that they were computed from.

import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Identity } from '../plugin/provider.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Json, LeafPath } from '../value/tree.js'
import type { Observation } from './observation.js'

/**
 * Action of a change. `replace` creates a new object and removes the old one. `forget` only removes the row. `verify`
 * checks an external object. `resume` continues what an interrupted run left open. `waiting` means that nothing can be
 * done yet.
 */
export type Action = 'create' | 'update' | 'replace' | 'remove' | 'forget' | 'verify' | 'resume' | 'waiting' | 'none'

/**
 * Reason for a change. `intent`: the declaration changed. `drift`: the object changed remotely. `both`: both changed.
 * `dependency`: an output of another resource changes. `gone`: the object vanished remotely. `recorded`: an earlier run
 * left work open. `recreated`: `--recreate` does not touch the recorded object.
 */
export type Cause = 'intent' | 'drift' | 'both' | 'dependency' | 'gone' | 'recorded' | 'recreated'

/**
 * A leaf value in the form in which it may be shown. `unknown`: it is known only after apply; its `value` has addresses
 * in place of ids to come. `unverified`: it cannot be read back. `absent`: there is none.
 */
export type ShownValue =
  | { readonly type: 'value'; readonly value: Json }
  | { readonly type: 'sensitive' }
  | { readonly type: 'unknown'; readonly value?: Json }
  | { readonly type: 'unverified' }
  | { readonly type: 'absent' }

export interface PlannedLeaf {
  readonly path: LeafPath
  /** Key of the part that the leaf belongs to, if it belongs to one. */
  readonly part?: string
  /** Name shown to people (`instructions` for `system`). */
  readonly label: string
  readonly before: ShownValue
  readonly after: ShownValue
  readonly cause: Cause
  /** True if this leaf is why the object must be replaced. */
  readonly forcesReplacement: boolean
  /** Hashes of both values, for saved plans: `-` means absent, `?` known only after apply. */
  readonly beforeHash: string
  readonly afterHash: string
}

export interface Change {
  readonly address: Address
  readonly provider: string
  readonly kind: string
  readonly name: string
  readonly action: Action
  readonly cause?: Cause
  readonly leaves: readonly PlannedLeaf[]
  /** Leaves that cannot be read back and have no recorded hash; the next change sends them. */
  readonly unverified: readonly LeafPath[]
  /** Effect that cannot be undone, in a few words; absent if there is none. */
  readonly irreversible?: string
  /** Ids of the objects: the current one, and deposed ones that are to be removed. */
  readonly id?: string
  readonly deposed: readonly string[]
  /** Addresses of changes that must be done before this one. */
  readonly after: readonly Address[]
  readonly notes: readonly Diagnostic[]
  /** The resource; absent if it is no longer declared. */
  readonly resource?: Resource
  readonly row?: Row
  /** Address that the row has in state, if the resource was renamed. */
  readonly movedFrom?: Address
  /** Object at the provider when the plan was made. */
  readonly found?: Observation
}

/** Part of the project that the user selected. */
export interface ScopeRequest {
  /** Canonical names from `--provider`. An empty list means the default target plus pinned resources. */
  readonly providers: readonly string[]
  /** Values of `--target` and `--exclude`: addresses, with or without the provider. */
  readonly targets: readonly string[]
  readonly excludes: readonly string[]
}

export interface Plan {
  /** `destroy` removes everything in scope; `refresh` only records the current objects of the providers. */
  readonly mode: 'apply' | 'destroy' | 'refresh'
  readonly project: string
  readonly lineage: string
  readonly serial: number
  /** Digest of the rows that the plan was made from. */
  readonly rowsDigest: string
  /**
   * Salt of the hashes of secrets. It is no secret itself, and makes the hashes in this plan comparable with those in
   * state.
   */
  readonly salt: string
  readonly scope: ScopeRequest
  /** Changes in dependency order, including those with the action `none`. */
  readonly changes: readonly Change[]
  /** Addresses of all objects in state by their ids, to show what a changed leaf refers to. */
  readonly names: ReadonlyMap<string, Address>
  /** Notes and warnings about the plan as a whole, and everything that stops it. */
  readonly diagnostics: readonly Diagnostic[]
  /** Pairs of a removed and a created resource that are similar. */
  readonly likelyRenames: readonly { readonly from: Address; readonly to: Address }[]
  /** Accounts that an apply would reach, by provider; only providers with changes. */
  readonly identities: ReadonlyMap<string, Identity>
  /**
   * Milliseconds by which the clocks of providers are ahead of this machine's clock. They are not saved, because
   * another machine has another clock.
   */
  readonly clockOffsets: ReadonlyMap<string, number>
  /** SHA-256 of every local file the plan depends on, by a name for people (`agents.yaml`, `./skills/review`). */
  readonly digests: ReadonlyMap<string, string>
}

/**
 * Outcome of a change. `partial`: one part of it was done and another was not, because it failed or the provider did
 * not accept a value.
 */
export type OutcomeStatus = 'done' | 'partial' | 'waiting' | 'failed' | 'skipped' | 'interrupted'

export interface Outcome {
  readonly address: Address
  readonly action: Action
  readonly status: OutcomeStatus
  readonly id?: string
  readonly diagnostics: readonly Diagnostic[]
  readonly elapsedMs: number
}

/** Event that is emitted while an apply runs. */
export type Progress =
  | { readonly type: 'started'; readonly address: Address; readonly action: Action }
  | { readonly type: 'ended'; readonly outcome: Outcome }
