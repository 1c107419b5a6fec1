// Store on PostgreSQL, which many processes share: one table of keys and values in byte order.
import { limits } from '../../limits.js'
import { textOf } from '../bytes.js'
import type { Key, KeyRange } from '../keys.js'
import type { Measurement } from '../measurement.js'
import type { Commit, CommitOutcome, Entry, Range, Store, Value } from '../store.js'
import { refuseUnfinished } from '../unfinished.js'
import { refuseUnwritable } from '../unwritable.js'
import { type PostgresAddress, parseAddress } from './address.js'
import { bufferOf, byteArray } from './byte-arrays.js'
import { Commits } from './commits.js'
import { Connections, causeOf } from './connections.js'
import { Facts } from './facts.js'
import { unfit } from './failures.js'
import { migrate } from './migrate.js'
import { PostgresProcessRecords } from './process-records.js'
import { type Names, namesIn } from './schema.js'
import { Walks } from './walks.js'

export interface PostgresStoreOptions {
  /** `postgres://…`, see `address.ts`. */
  readonly address: string
  /** True opens a store whose copy or restore is unfinished. Default false. */
  readonly isCopyTarget?: boolean
  /** Called after each durable commit. */
  readonly onSynced?: () => void
}

/** Key that no row has: removing it is a real, durable write without effect. */
const probeKey = Uint8Array.of(0)

export class PostgresStore implements Store {
  /** Facts that the processes of a deployment agree on. */
  readonly facts: Facts
  readonly processes: PostgresProcessRecords
  private readonly commits: Commits
  private readonly walks: Walks
  private readonly inFlight = new Set<Promise<unknown>>()
  private isClosing = false
  private endReservation = () => {}

  private constructor(
    readonly address: PostgresAddress,
    private readonly statements: Connections,
    private readonly transactions: Connections,
    private readonly names: Names,
    private readonly onSynced: () => void,
  ) {
    this.facts = new Facts(statements, names)
    this.processes = new PostgresProcessRecords(this.facts)
    this.commits = new Commits(statements, names, (keys) => this.readAll(keys))
    this.walks = new Walks(statements, transactions, names)
  }

  /** Connects and migrates the schema. Throws `StoreUnfit` if the database cannot be used. */
  static async open({
    address: text,
    isCopyTarget = false,
    onSynced = () => {},
  }: PostgresStoreOptions): Promise<PostgresStore> {
    const address = parseAddress(text)
    const statements = await Connections.to(address, limits.storeConnectionsMax)
    const transactions = await Connections.to(address, limits.storeWalksMax)
    try {
      const names = namesIn(address.schema)
      await migrate(statements, names, address.shown)
      await statements.read(`delete from ${names.writers} where at < now() - interval '2 days'`, [])
      const store = new PostgresStore(address, statements, transactions, names, onSynced)
      if (!isCopyTarget) await refuseUnfinished(store.facts, address.shown)
      return store
    } catch (error) {
      await Promise.all([statements.close(), transactions.close()])
      throw unfit(causeOf(error), address.shown) ?? error
    }
  }

  /** Connections of the two pools. Statements that wait longer than `limits.storeConnectTimeoutMs` are refused. */
  get measurements(): readonly Measurement[] {
    const { statements, transactions } = this
    return [
      {
        name: 'store_connections_open',
        help: 'Connections to the database: for statements, and for walks over many rows',
        read: () => statements.counters.open + transactions.counters.open,
      },
      {
        name: 'store_connections_idle',
        help: 'Open connections to the database that no statement uses',
        read: () => statements.counters.idle + transactions.counters.idle,
      },
      {
        name: 'store_statements_waiting',
        help: 'Statements that wait for a connection to the database',
        read: () => statements.counters.waiting,
      },
      {
        name: 'store_walks_waiting',
        help: 'Walks over many rows that wait for a connection to the database',
        read: () => transactions.counters.waiting,
      },
    ]
  }

  async get(key: Key): Promise<Value | undefined> {
    this.refuseWhenClosed()
    const rows = await this.statements.read(`select value from ${this.names.rows} where key = $1`, [bufferOf(key)])
    const value = bytesOf(rows[0]?.[0])
    this.commits.note(key, value)
    return value
  }

  async getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    this.refuseWhenClosed()
    const values = await this.readAll(keys)
    for (const [index, key] of keys.entries()) this.commits.note(key, values[index])
    return values
  }

  async *range(range: Range): AsyncIterable<Entry> {
    this.refuseWhenClosed()
    yield* this.walks.range(range)
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    this.refuseWhenClosed()
    refuseUnwritable(commit)
    const running = this.commits.commit(commit)
    this.inFlight.add(running)
    try {
      const outcome = await running
      if (outcome === 'committed') this.onSynced()
      return outcome
    } finally {
      this.inFlight.delete(running)
    }
  }

  /**
   * Lets PostgreSQL reuse the space of dead rows, which does not overwrite it at once, and neither its log nor its
   * replicas: see docs/operations/postgresql.md. The table is vacuumed as a whole.
   */
  async forget(ranges: readonly KeyRange[]): Promise<void> {
    this.refuseWhenClosed()
    if (ranges.length === 0) return
    await this.statements.use((session) =>
      session.run(`vacuum (skip_locked) ${this.names.rows}`, [], { timeoutMs: limits.storeVacuumTimeoutMs }),
    )
  }

  /** Removes all rows at once. */
  async clear(): Promise<void> {
    await this.statements.use((session) => session.run(`truncate ${this.names.rows}`))
  }

  /** Reserves the store for a copy or a restore into it until it is closed. Returns false while another one has it. */
  async reserve(): Promise<boolean> {
    const { session, release } = await this.transactions.hold()
    this.endReservation = release
    // A lock of a transaction, which also holds behind a pooler of transactions.
    await session.run('begin')
    const [row] = await session.run('select pg_try_advisory_xact_lock(hashtext($1))', [
      `steward copy ${this.address.schema}`,
    ])
    return row?.[0] === true
  }

  async probe(): Promise<void> {
    await this.commit({ expect: [], put: [], delete: [probeKey] })
  }

  async close(): Promise<void> {
    if (this.isClosing) return
    this.isClosing = true
    await Promise.allSettled(this.inFlight)
    this.endReservation()
    await Promise.all([this.statements.close(), this.transactions.close()])
  }

  private async readAll(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    if (keys.length === 0) return []
    const text = `select key, value from ${this.names.rows} where key = any($1::bytea[])`
    const rows = await this.statements.read(text, [byteArray(keys)])
    const values = new Map(rows.map(([key, value]) => [textOf(bytesOf(key) ?? probeKey), bytesOf(value)]))
    return keys.map((key) => values.get(textOf(key)))
  }

  private refuseWhenClosed(): void {
    if (this.isClosing) throw new Error('The store is closed')
  }
}

const bytesOf = (value: unknown): Uint8Array | undefined => (value instanceof Uint8Array ? value : undefined)
