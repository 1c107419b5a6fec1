// Optimistic transactions: a commit requires that every row read is unchanged, and maintains index rows. Rows of a
// tenant or document are written only while their owners exist. A transaction that conflicts with another writer is
// retried, also if it failed: what it read may never have been true at one time.

import { limits } from '../limits.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import { sameBytes, textOf } from './bytes.js'
import type { Key } from './keys.js'
import type { Leases } from './leases.js'
import { isAlive } from './liveness.js'
import type { Reference } from './row-kind.js'
import type { Amendment, Commit, Entry, Expectation, Store, Value } from './store.js'
import type { Slot } from './table.js'

interface RowState {
  readonly key: Key
  /** Value that was read or is expected; undefined = absent. */
  readonly before: Value | undefined
  readonly indexesBefore: readonly Entry[]
  /** Write to the row: undefined = unchanged; null = removed. */
  after: { readonly value: Value; readonly indexes: readonly Entry[] } | null | undefined
  row: unknown
}

export class Transaction {
  private readonly touched = new Map<string, RowState>()
  private readonly owners = new Map<string, Reference>()
  /** Rows written without being read; null = removed. */
  private readonly blind = new Map<string, { readonly key: Key; readonly value: Value | null }>()
  private readonly amendments = new Map<string, Amendment>()

  constructor(private readonly store: Store) {}

  /** Returns the current row (or as written by this transaction); the commit requires that it is unchanged. */
  async read<Row>(slot: Slot<Row>): Promise<Row | undefined> {
    const touched = this.touched.get(textOf(slot.key))
    // Equal keys have the same kind, so the row was decoded by this slot's kind.
    if (touched) return touched.row as Row | undefined
    return this.take(slot, await this.store.get(slot.key))
  }

  /** Reads rows in one request to the store, as they were at one moment; `read` then returns them. */
  async prefetch(slots: readonly Slot<unknown>[]): Promise<void> {
    const unread = slots.filter(({ key }) => !this.touched.has(textOf(key)))
    const values = await this.store.getMany(unread.map(({ key }) => key))
    for (const [index, slot] of unread.entries()) this.take(slot, values[index])
  }

  /** Writes a row. A row that was not read before must not exist yet. */
  put<Row>(slot: Slot<Row>, row: Row): void {
    const touched = this.touch(slot, undefined)
    touched.after = { value: slot.encode(row), indexes: slot.indexes(row) }
    touched.row = row
    for (const owner of slot.owners) this.owners.set(textOf(owner.key), owner)
  }

  /** Removes a row that was read. */
  remove<Row>(slot: Slot<Row>): void {
    const touched = this.touched.get(textOf(slot.key))
    if (!touched) throw new Error(`A row of ${slot.table} is removed without having been read`)
    touched.after = null
    touched.row = undefined
  }

  /**
   * Writes a row without reading it: for rows that are fenced by another row, which is read and expected in their
   * place. Not for rows with index rows.
   */
  overwrite<Row>(slot: Slot<Row>, row: Row): void {
    if (slot.indexes(row).length > 0) throw new Error(`A row of ${slot.table} is overwritten, but has indexes`)
    this.blind.set(textOf(slot.key), { key: slot.key, value: slot.encode(row) })
    for (const owner of slot.owners) this.owners.set(textOf(owner.key), owner)
  }

  /** Removes a row without reading it, see `overwrite`. */
  erase<Row>(slot: Slot<Row>): void {
    this.blind.set(textOf(slot.key), { key: slot.key, value: null })
  }

  /**
   * Changes a row whatever its value at the time of the commit, so that many transactions may change it at once: for
   * counters. The transaction does not touch the row otherwise, and it has no index rows.
   */
  amend<Row>(slot: Slot<Row>, change: (row: Row | undefined) => Row): void {
    const text = textOf(slot.key)
    const earlier = this.amendments.get(text)
    const changed = (stored: Value | undefined) => {
      const value = earlier ? earlier.change(stored) : stored
      return slot.encode(change(value && slot.decode(value)))
    }
    this.amendments.set(text, { key: slot.key, change: changed })
    for (const owner of slot.owners) this.owners.set(textOf(owner.key), owner)
  }

  /** Throws `NotFound` if an owner of a written row is deleted or being deleted. */
  async commit(): Promise<Commit> {
    const expect = [...(await this.ownerExpectations())]
    const put = new Map<string, Entry>()
    const removed = new Map<string, Key>()
    for (const { key, before, indexesBefore, after } of this.touched.values()) {
      expect.push({ key, value: before })
      if (after === undefined) continue
      const now = after ? [{ key, value: after.value }, ...after.indexes] : []
      const old = before ? [{ key, value: before }, ...indexesBefore] : []
      const oldValues = new Map(old.map((entry) => [textOf(entry.key), entry.value]))
      for (const entry of now) {
        const text = textOf(entry.key)
        const value = oldValues.get(text)
        oldValues.delete(text)
        if (value === undefined && !sameBytes(entry.key, key)) expect.push({ key: entry.key, value: undefined })
        if (!sameBytes(value, entry.value)) put.set(text, entry)
      }
      for (const entry of old) if (oldValues.has(textOf(entry.key))) removed.set(textOf(entry.key), entry.key)
    }
    for (const [text, { key, value }] of this.blind) {
      if (value === null) removed.set(text, key)
      else put.set(text, { key, value })
    }
    // An index row that moved from one row of this transaction to another is written and not removed.
    return {
      expect,
      put: [...put.values()],
      delete: [...removed].filter(([text]) => !put.has(text)).map(([, key]) => key),
      amend: [...this.amendments.values()],
    }
  }

  /**
   * True if rows that were read have changed since: read at different times, they may contradict each other, so that an
   * error about them means nothing.
   */
  async isOvertaken(): Promise<boolean> {
    const read = [...this.touched.values()]
    if (read.length < 2) return false
    const values = await this.store.getMany(read.map(({ key }) => key))
    return read.some(({ before }, index) => !sameBytes(before, values[index]))
  }

  private async ownerExpectations(): Promise<readonly Expectation[]> {
    const owners = [...this.owners.values()]
    const states = owners.map(({ key }) => this.touched.get(textOf(key)))
    const unread = owners.filter((_, index) => states[index] === undefined)
    const amendments = [...this.amendments.values()]
    const keys = [...unread, ...amendments].map(({ key }) => key)
    const all = keys.length === 0 ? [] : await this.store.getMany(keys)
    // A damaged row fails this transaction here, not the others of its batch.
    for (const [index, { change }] of amendments.entries()) change(all[unread.length + index])
    const values = all.values()
    return owners.map((owner, index) => {
      const state = states[index]
      // Rows read by this transaction are expected anyway, and those created by it exist.
      const read = state ? state.before : values.next().value
      if (!isAlive(owner, state?.after?.value ?? read)) throw notFound(owner.table)
      return { key: owner.key, value: read }
    })
  }

  private take<Row>(slot: Slot<Row>, before: Value | undefined): Row | undefined {
    const row = before && slot.decode(before)
    this.touch(slot, before).row = row
    return row
  }

  private touch<Row>(slot: Slot<Row>, before: Value | undefined): RowState {
    const text = textOf(slot.key)
    const existing = this.touched.get(text)
    if (existing) return existing
    const indexesBefore = before ? slot.indexes(slot.decode(before)) : []
    const touched: RowState = { key: slot.key, before, indexesBefore, after: undefined, row: undefined }
    this.touched.set(text, touched)
    return touched
  }
}

/** The store was lost during a commit, and nobody can tell whether it took effect: it is neither done nor refused. */
export class OutcomeUnknown extends Refusal {
  constructor(whatToDo: string, cause?: unknown) {
    const message = `The connection to the store was lost during the commit, and its outcome is unknown; ${whatToDo}`
    super('RuntimeUnavailable', message, { retryAfterSeconds: limits.storeRetryAfterSeconds, cause })
    this.name = 'OutcomeUnknown'
  }
}

export interface TransactOptions<Result> extends Pick<Commit, 'isUrgent' | 'urgentOf'> {
  /** Determines the result after a commit of unknown outcome. Returns undefined if the commit did not happen. */
  readonly outcomeOf?: () => Promise<Result | undefined>
}

export interface TransactionPorts {
  readonly store: Store
  /** Leases for retries after a conflict: they serialise the writers of a row, so that all succeed. */
  readonly leases?: Leases
}

/**
 * Runs `work`, possibly several times: it must have no effects besides its transaction and must not start another
 * one. Throws `RuntimeUnavailable`, with nothing written, if every attempt conflicts with other writers; and
 * `OutcomeUnknown` if neither the store nor `outcomeOf` can tell whether the commit took effect.
 */
export async function transact<Result>(
  { store, leases }: TransactionPorts,
  work: (transaction: Transaction) => Promise<Result>,
  options: TransactOptions<Result> = {},
): Promise<Result> {
  const first = await attempt(store, work, options)
  if (first) return first.result
  const again = async () => {
    for (let attempts = 2; attempts <= limits.commitAttemptsMax; attempts++) {
      const next = await attempt(store, work, options)
      if (next) return next.result
    }
    throw new Refusal('RuntimeUnavailable', 'Too many concurrent requests change the same data', {
      retryAfterSeconds: 1,
    })
  }
  return leases ? leases.hold('contended-rows', again) : again()
}

/** Returns undefined after a conflict. */
async function attempt<Result>(
  store: Store,
  work: (transaction: Transaction) => Promise<Result>,
  { outcomeOf, ...urgency }: TransactOptions<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const transaction = new Transaction(store)
  let result: Result
  try {
    result = await work(transaction)
  } catch (error) {
    if (await transaction.isOvertaken().catch(() => false)) return undefined
    throw error
  }
  const outcome = await commitOf(store, transaction, urgency)
  if (outcome === 'committed') return { result }
  if (outcome === 'conflict') return undefined
  if (!outcomeOf) throw new OutcomeUnknown('read the current state before repeating the request')
  const settled = await outcomeOf().catch((error: unknown) => {
    throw new OutcomeUnknown('the same request, sent again, learns it and is carried out at most once', error)
  })
  return settled === undefined ? undefined : { result: settled }
}

/** Returns without a commit if nothing was written: the rows were current when they were read. */
async function commitOf(store: Store, transaction: Transaction, urgency: Pick<Commit, 'isUrgent' | 'urgentOf'>) {
  const commit = await transaction.commit()
  return commit.put.length + commit.delete.length + (commit.amend?.length ?? 0) === 0
    ? 'committed'
    : store.commit({ ...commit, ...urgency })
}
