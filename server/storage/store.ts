// Port of the store: ordered byte keys with one atomic, durable write. All records of the document server are stored
// behind it. LevelDB serves one process; a database could serve many.
import type { Key, KeyRange } from './keys.js'

export type Value = Uint8Array

export interface Entry {
  readonly key: Key
  readonly value: Value
}

/** Expected state of a row at the time of the commit: its bytes, or `undefined` if the row must be absent. */
export interface Expectation {
  readonly key: Key
  readonly value: Value | undefined
}

/** Change of a row that is applied to any current value, so that concurrent amendments never conflict. */
export interface Amendment {
  readonly key: Key
  /** Computes the value; called while the commit is written, so it must not throw. */
  readonly change: (value: Value | undefined) => Value
}

export interface Commit {
  /** Expectations, all of which must hold at the time of writing; otherwise nothing is written. */
  readonly expect: readonly Expectation[]
  readonly put: readonly Entry[]
  readonly delete: readonly Key[]
  /** Amendments, applied after the rest of the commit to the values at the time of writing. */
  readonly amend?: readonly Amendment[]
  /**
   * True if the commit refuses a credential or frees space: it is written on a disk that is too full for other
   * commits.
   */
  readonly isUrgent?: boolean
  /** Party of an urgent commit; the total of each party is limited. Undefined = not limited. */
  readonly urgentOf?: string
}

/**
 * - `committed`: durable, and visible to every later read. - `conflict`: an expectation did not hold; nothing was
 * written. - `unknown`: the connection was lost during the commit; read the rows to learn the outcome before
 * responding.
 */
export type CommitOutcome = 'committed' | 'conflict' | 'unknown'

export interface Range {
  /** First key of the range. */
  readonly from: Key
  /** Key after the range. */
  readonly to: Key
  /** True = last key first. Default false. */
  readonly isReversed?: boolean
  readonly limit?: number
}

export interface Store {
  get(key: Key): Promise<Value | undefined>
  /** Returns values in the order of the keys, from one snapshot. */
  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]>
  /** Walks a range in a consistent snapshot: later commits do not appear in it. */
  range(range: Range): AsyncIterable<Entry>
  /** Commits writes. Values above `limits.valueBytesMax` are refused with a RangeError: they belong in a blob. */
  commit(commit: Commit): Promise<CommitOutcome>
  /**
   * Resolves when the files no longer contain values that were overwritten or removed within the ranges before the
   * call. Only for stores that retain old values after a commit. Many adjacent ranges cost about as much as one.
   */
  forget?(ranges: readonly KeyRange[]): Promise<void>
  /** Rejects if a write would not be durable at the moment, which is tested by a real write. */
  probe(): Promise<void>
  /** Waits for running commits and closes the store. */
  close(): Promise<void>
}

/** The store is broken (a write failed): the process becomes unready and ends. */
export class StoreBroken extends Error {
  constructor(cause: unknown) {
    super('The store failed underneath; nothing more is read or written until the process is started again', { cause })
    this.name = 'StoreBroken'
  }
}

/** Why a store takes nothing at the moment. `unreachable`: also if it has no connection or memory left. */
export type UnavailableReason = 'unreachable' | 'full' | 'read-only'

/**
 * The store cannot be reached or has no resources at the moment; nothing was written. The process stays alive, and the
 * same call may succeed later.
 */
export class StoreUnavailable extends Error {
  constructor(
    cause: unknown,
    readonly reason: UnavailableReason = 'unreachable',
  ) {
    super(messages[reason], { cause })
    this.name = 'StoreUnavailable'
  }
}

const messages: Readonly<Record<UnavailableReason, string>> = {
  unreachable: 'The store cannot be reached at the moment',
  full: 'The store has no room at the moment',
  'read-only': 'The store is read-only at the moment',
}
