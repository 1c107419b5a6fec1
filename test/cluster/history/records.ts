// What a history contains: each request of a load run with its answer and its times, and what event readers received.

/** Values of the entries of one layer, by key. An absent key has no entry. */
export type Entries = Readonly<Record<string, string>>

interface Timed {
  /** Client that sent the request; a client sends one request at a time. */
  readonly client: string
  /** Layer, as `document/layer`. */
  readonly layer: string
  /** Milliseconds of one monotonic clock. Of a request that was repeated until it was answered: of the first attempt. */
  readonly invokedAt: number
  /** Undefined if the request was never answered; it may have had its effect at any time, or none. */
  readonly returnedAt: number | undefined
}

/** Change that sets one entry, or undoes an earlier change. */
export interface ChangeRecord extends Timed {
  readonly kind: 'change'
  readonly opId: string
  readonly key: string
  readonly work: { readonly set: string } | { readonly undoOf: string }
  /**
   * All entries after the change, undefined where the answer does not show them (an undo without effect); `refused`:
   * nothing was changed. Undefined if it was never answered.
   */
  readonly answer: { readonly entries: Entries | undefined } | { readonly refused: string } | undefined
}

export interface ReadRecord extends Timed {
  readonly kind: 'read'
  readonly entries: Entries
}

/** Change as one event reader received it. */
export interface EventRecord {
  readonly kind: 'event'
  readonly reader: string
  readonly layer: string
  /** Audit id. */
  readonly id: number
  readonly opId: string
  readonly entries: Entries | undefined
}

/** Fact that was promised by an answer, and what was read at the end of the run. */
export interface PromiseRecord {
  readonly kind: 'promise'
  /** What was promised: `document D is ready with sha256 …`. */
  readonly subject: string
  readonly promised: string
  readonly found: string
}

export type HistoryRecord = ChangeRecord | ReadRecord | EventRecord | PromiseRecord

/** Contradiction between the history and what the server promises. */
export interface Violation {
  readonly rule: 'linearizable' | 'once' | 'order' | 'answer' | 'read' | 'events' | 'promise'
  readonly detail: string
}

export const violation = (rule: Violation['rule'], detail: string): Violation => ({ rule, detail })

export const isRefused = ({ answer }: ChangeRecord): boolean => answer !== undefined && 'refused' in answer
