// The plan: what an apply would do, leaf by leaf, and what it was computed from.

import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Identity } from '../plugin/provider.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Json, LeafPath } from '../value/tree.js'
import type { Observation } from './observation.js'

/**
 * What a change does. `replace` creates a new object and removes the old one. `forget` only drops the row. `verify`
 * checks an external object. `resume` continues what an interrupted run left open. `waiting` can do nothing yet.
 */
export type Action = 'create' | 'update' | 'replace' | 'remove' | 'forget' | 'verify' | 'resume' | 'waiting' | 'none'

/**
 * Why there is a change. `intent`: the declaration changed. `drift`: the object changed remotely. `both`. `dependency`:
 * an output of another resource changes. `gone`: the object vanished remotely. `recorded`: an earlier run left work
 * open. `recreated`: `--recreate` leaves the recorded object behind.
 */
export type Cause = 'intent' | 'drift' | 'both' | 'dependency' | 'gone' | 'recorded' | 'recreated'

/** How a leaf value may be shown. `unknown` is known only after apply; `absent` means there is none. */
export type ShownValue =
  | { readonly type: 'value'; readonly value: Json }
  | { readonly type: 'sensitive' }
  | { readonly type: 'unknown' }
  | { readonly type: 'unverified' }
  | { readonly type: 'absent' }

export interface PlannedLeaf {
  readonly path: LeafPath
  /** Path shown to people (`instructions` instead of `system`). */
  readonly label: string
  readonly before: ShownValue
  readonly after: ShownValue
  readonly cause: Cause
  /** True if this leaf is why the object must be replaced. */
  readonly forcesReplacement: boolean
  /** Hashes of both sides, for saved plans: `-` absent, `?` known only after apply. */
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
  /** What cannot be undone, in a few words; absent if everything can. */
  readonly irreversible?: string
  /** Ids of the objects concerned: the current one, and deposed ones to be removed. */
  readonly id?: string
  readonly deposed: readonly string[]
  /** Changes that must be done before this one. */
  readonly after: readonly Address[]
  readonly notes: readonly Diagnostic[]
  /** Absent for a resource that is no longer declared. */
  readonly resource?: Resource
  readonly row?: Row
  /** Address under which state still has the row: the resource was renamed. */
  readonly movedFrom?: Address
  /** The provider's object when the plan was made. */
  readonly found?: Observation
}

/** Part of the project that the user selected. */
export interface ScopeRequest {
  /** `--provider`, canonical names; empty means the default target plus pinned resources. */
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
  /** Salt of the hashes of secrets, not secret itself; makes hashes in this plan and in state comparable. */
  readonly salt: string
  readonly scope: ScopeRequest
  /** Changes in dependency order, `none` included. */
  readonly changes: readonly Change[]
  /** Notes and warnings about the plan as a whole, and everything that stops it. */
  readonly diagnostics: readonly Diagnostic[]
  /** Pairs of a removed and a created resource that look alike. */
  readonly likelyRenames: readonly { readonly from: Address; readonly to: Address }[]
  /** Accounts that an apply would reach, by provider; only providers with changes. */
  readonly identities: ReadonlyMap<string, Identity>
  /**
   * How far the clocks of providers are ahead of this machine's, in milliseconds. Not saved: another machine has
   * another clock.
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

/** Emitted while an apply runs. */
export type Progress =
  | { readonly type: 'started'; readonly address: Address; readonly action: Action }
  | { readonly type: 'ended'; readonly outcome: Outcome }
