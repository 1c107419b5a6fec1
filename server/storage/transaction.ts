// Optimistic transactions: a commit requires that every row read is unchanged, and maintains index rows. Rows of a tenant
// or document are written only while their owners exist. A transaction that conflicts with another writer is retried.

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
  /** Undefined = was absent, or must be. */
  readonly before: Value | undefined
  readonly indexesBefore: readonly Entry[]
  /** Undefined = stays as it is; null = is removed. */
  after: { readonly value: Value; readonly indexes: readonly Entry[] } | null | undefined
  row: unknown
}

export class Transaction {
  private readonly touched = new Map<string, RowState>()
  private readonly owners = new Map<string, Reference>()
  /** Rows written whatever they were; null = removed. */
  private readonly blind = new Map<string, { readonly key: Key; readonly value: Value | null }>()
  private readonly amendments: Amendment[] = []

  constructor(private readonly store: Store) {}

  /** The row as it is (or as this transaction wrote it); the commit happens only while that holds. */
  async read<Row>(slot: Slot<Row>): Promise<Row | undefined> {
    const known = this.touched.get(textOf(slot.key))
    // The same key has the same kind, so this is a `Row`: it came from this slot's kind.
    if (known) return known.row as Row | undefined
    return this.take(slot, await this.store.get(slot.key))
  }

  /** A row that was not read before must not be there yet. */
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
   * Puts a row without looking whether there is one: for rows that are written only together with another one, which was
   * read, and expected, in their place. Not for rows that others lead to.
   */
  overwrite<Row>(slot: Slot<Row>, row: Row): void {
    if (slot.indexes(row).length > 0) throw new Error(`A row of ${slot.table} is overwritten, but has indexes`)
    this.blind.set(textOf(slot.key), { key: slot.key, value: slot.encode(row) })
    for (const owner of slot.owners) this.owners.set(textOf(owner.key), owner)
  }

  /** Removes a row without looking whether there is one; see `overwrite`. */
  erase<Row>(slot: Slot<Row>): void {
    this.blind.set(textOf(slot.key), { key: slot.key, value: null })
  }

  /**
   * Changes a row whatever it holds when the commit is written, so that many may change it at once: for counters. Once per
   * row, which nothing else of the transaction touches and no other row leads to.
   */
  async amend<Row>(slot: Slot<Row>, change: (row: Row | undefined) => Row): Promise<void> {
    const changed = (value: Value | undefined) => slot.encode(change(value && slot.decode(value)))
    // A damaged row refuses this transaction here, not those that are written in one batch with it.
    changed(await this.store.get(slot.key))
    this.amendments.push({ key: slot.key, change: changed })
    for (const owner of slot.owners) this.owners.set(textOf(owner.key), owner)
  }

  /** Throws `NotFound` when what a written row belongs to is gone, or going. */
  async commit(): Promise<Commit> {
    const expect = [...(await this.fence())]
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
    // A row that leads from one row to another one now was taken from the first and given to the second.
    return {
      expect,
      put: [...put.values()],
      delete: [...removed].filter(([text]) => !put.has(text)).map(([, key]) => key),
      amend: this.amendments,
    }
  }

  private async fence(): Promise<readonly Expectation[]> {
    const owners = [...this.owners.values()]
    const known = owners.map(({ key }) => this.touched.get(textOf(key)))
    const unread = owners.filter((_, index) => known[index] === undefined)
    const values = (await this.store.getMany(unread.map(({ key }) => key))).values()
    return owners.map((owner, index) => {
      const own = known[index]
      // What this transaction read is expected anyway, and what it makes itself lives.
      const read = own ? own.before : values.next().value
      if (!isAlive(owner, own?.after?.value ?? read)) throw notFound(owner.table)
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
    const known = this.touched.get(text)
    if (known) return known
    const indexesBefore = before ? slot.indexes(slot.decode(before)) : []
    const touched: RowState = { key: slot.key, before, indexesBefore, after: undefined, row: undefined }
    this.touched.set(text, touched)
    return touched
  }
}

export interface TransactOptions<Result> extends Pick<Commit, 'isUrgent' | 'urgentOf'> {
  /** After a commit nobody knows the fate of: reads what became of it. Undefined = it did not happen. */
  readonly settle?: () => Promise<Result | undefined>
}

export interface TransactionPorts {
  readonly store: Store
  /**
   * Leases for retries after a conflict: they take turns, so that many on the same row all succeed.
   */
  readonly leases?: Leases
}

/**
 * `work` may run several times and must have no effects besides its transaction, nor start another one. Throws
 * `RuntimeUnavailable`, with nothing written, when other writers were faster every time.
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
    throw new Refusal('RuntimeUnavailable', 'Too many requests change the same thing at once', { retryAfterSeconds: 1 })
  }
  return leases ? leases.hold('contended-rows', again) : again()
}

/** Undefined = lost to another writer. */
async function attempt<Result>(
  store: Store,
  work: (transaction: Transaction) => Promise<Result>,
  { settle, ...urgency }: TransactOptions<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const transaction = new Transaction(store)
  const result = await work(transaction)
  const outcome = await commitOf(store, transaction, urgency)
  if (outcome === 'committed') return { result }
  if (outcome === 'conflict') return undefined
  if (!settle) throw new Error('The connection to the store was lost during a commit; its fate is not known')
  const settled = await settle()
  return settled === undefined ? undefined : { result: settled }
}

/** Returns without a commit if nothing was written: the rows were current when they were read. */
async function commitOf(store: Store, transaction: Transaction, urgency: Pick<Commit, 'isUrgent' | 'urgentOf'>) {
  const commit = await transaction.commit()
  return commit.put.length + commit.delete.length + (commit.amend?.length ?? 0) === 0
    ? 'committed'
    : store.commit({ ...commit, ...urgency })
}
