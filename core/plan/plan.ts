// The plan: what an apply would do, leaf by leaf, and what it was computed from.

import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Identity } from '../plugin/provider.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Json, LeafPath } from '../value/tree.js'
import type { Observation } from './observation.js'

/**
 * `replace` makes a new object and removes the old one. `forget` drops the row only. `verify` looks at an external
 * object. `resume` goes on with what an interrupted run left open. `waiting` has nothing to do but be patient.
 */
export type Action = 'create' | 'update' | 'replace' | 'remove' | 'forget' | 'verify' | 'resume' | 'waiting' | 'none'

/**
 * `intent`: the declaration changed. `drift`: the object changed remotely. `both`. `dependency`: an output of another
 * resource changes. `gone`: the object vanished remotely. `recorded`: an earlier run left work open. `recreated`: the
 * recorded object is left behind, because `--recreate` says so.
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
  /** The path as people know it (`instructions` instead of `system`). */
  readonly label: string
  readonly before: ShownValue
  readonly after: ShownValue
  readonly cause: Cause
  /** This leaf is why the object must be replaced. */
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
  /** Leaves that cannot be read back and that nothing is recorded about; the next change sends them. */
  readonly unverified: readonly LeafPath[]
  /** What cannot be undone, in a few words; absent if everything can. */
  readonly irreversible?: string
  /** The object ids concerned: the present one, and deposed ones to be removed. */
  readonly id?: string
  readonly deposed: readonly string[]
  /** Changes that must be done before this one. */
  readonly after: readonly Address[]
  readonly notes: readonly Diagnostic[]
  /** Absent for what is no longer declared. */
  readonly resource?: Resource
  readonly row?: Row
  /** The address under which state still has the row: the resource was renamed. */
  readonly movedFrom?: Address
  /** The provider's object when the plan was made. */
  readonly found?: Observation
}

/** The part of the project that the user selected. */
export interface ScopeRequest {
  /** `--provider`, canonical names; empty means the default target plus pinned resources. */
  readonly providers: readonly string[]
  /** `--target` and `--exclude`: addresses, the provider may be left out. */
  readonly targets: readonly string[]
  readonly excludes: readonly string[]
}

export interface Plan {
  /** `destroy` removes everything in scope; `refresh` only records what the providers hold. */
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
  /** A removed and a created resource that look alike. */
  readonly likelyRenames: readonly { readonly from: Address; readonly to: Address }[]
  /** Whom an apply would reach, by provider; only those it has something to do on. */
  readonly identities: ReadonlyMap<string, Identity>
  /** How far the clocks of providers are ahead of the one here. Not saved: another machine has another clock. */
  readonly clockOffsets: ReadonlyMap<string, number>
  /** SHA-256 of everything local the plan depends on, by a name for people (`agents.yaml`, `./skills/review`). */
  readonly digests: ReadonlyMap<string, string>
}

/** `partial`: something of it was done and something was not: a part failed, or a value was not taken. */
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
