// Port of the store: ordered byte keys with one atomic, durable write. All records of the document server are stored behind
// it. LevelDB serves one process; a database could serve many.
import type { Key, KeyRange } from './keys.js'

export type Value = Uint8Array

export interface Entry {
  readonly key: Key
  readonly value: Value
}

/** The row must hold exactly these bytes when the commit happens; `undefined` = must be absent. */
export interface Expectation {
  readonly key: Key
  readonly value: Value | undefined
}

/** A row that is changed whatever it holds: commits that do so at once never refuse each other. */
export interface Amendment {
  readonly key: Key
  /** Computes the value; called while the commit is written, so it must not throw. */
  readonly change: (value: Value | undefined) => Value
}

export interface Commit {
  /** The fence: nothing is written unless every one of these holds at the moment of writing. */
  readonly expect: readonly Expectation[]
  readonly put: readonly Entry[]
  readonly delete: readonly Key[]
  /** Made after the rest of the commit, on what rows hold at the moment of writing. */
  readonly amend?: readonly Amendment[]
  /** Refuses a credential, or makes room: is written where the disk is too full for other commits that put. */
  readonly isUrgent?: boolean
  /** Party of urgent commits, whose number must leave room for the others'; none = not bounded. */
  readonly urgentOf?: string
}

/**
 * - `committed`: durable, and visible to every later read.
 * - `conflict`: an expectation did not hold; nothing was written.
 * - `unknown`: the connection was lost on the way; read the rows to learn what happened before answering anybody.
 */
export type CommitOutcome = 'committed' | 'conflict' | 'unknown'

export interface Range {
  /** Included. */
  readonly from: Key
  /** Excluded. */
  readonly to: Key
  /** Last key first. Default false. */
  readonly isReversed?: boolean
  readonly limit?: number
}

export interface Store {
  get(key: Key): Promise<Value | undefined>
  /** Same order as asked, from one moment. */
  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]>
  /** A consistent view: what is committed while it is walked does not appear in it. */
  range(range: Range): AsyncIterable<Entry>
  /** Values above `limits.valueBytesMax` are refused with a RangeError: they belong into a blob. */
  commit(commit: Commit): Promise<CommitOutcome>
  /**
   * For stores that keep old values somewhere after a commit: resolves when the files hold nothing any more of what was
   * overwritten or removed within the ranges before the call. Left out where a commit itself forgets. Costs about as much for
   * many ranges beside each other as for one.
   */
  forget?(ranges: readonly KeyRange[]): Promise<void>
  /** Rejects when a write would not be durable now; a real write, not a guess. */
  probe(): Promise<void>
  /** Waits for commits under way. */
  close(): Promise<void>
}

/** The store can no longer be trusted (a write failed underneath): the process turns unready and ends. */
export class StoreBroken extends Error {
  constructor(cause: unknown) {
    super('The store failed underneath; nothing more is read or written until the process is started again', { cause })
    this.name = 'StoreBroken'
  }
}
