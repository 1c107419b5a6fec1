// Walks over ranges. Short ones are one statement; longer ones read pages in one repeatable-read transaction, on a
// connection of a pool of their own.
import { limits } from '../../limits.js'
import type { Key } from '../keys.js'
import type { Entry, Range } from '../store.js'
import { StoreUnavailable } from '../store.js'
import { bufferOf } from './byte-arrays.js'
import { type Connections, causeOf, type Rows, type Session } from './connections.js'
import { unavailable } from './failures.js'
import type { Names } from './schema.js'

/** Number of rows of the first page; a walk that has no more is one statement. */
const firstRows = 64
const pageBytes = 1024 * 1024
const pageRowsMax = 1024

interface Page {
  readonly range: Range
  /** Last key of the page before. */
  readonly after?: Key | undefined
  readonly rows: number
}

export class Walks {
  constructor(
    private readonly statements: Connections,
    private readonly transactions: Connections,
    private readonly names: Names,
  ) {}

  async *range(range: Range): AsyncIterable<Entry> {
    const { limit = Number.POSITIVE_INFINITY } = range
    if (limit <= 0) return
    const rows = Math.min(limit, firstRows)
    const [text, parameters] = this.pageOf({ range, rows: limit <= firstRows ? rows : rows + 1 })
    const first = entriesOf(await this.statements.read(text, parameters))
    if (limit <= firstRows || first.length <= firstRows) yield* first
    else yield* this.long(range, limit)
  }

  /** Reads everything again in one snapshot, because the first page may be older. */
  private async *long(range: Range, limit: number): AsyncIterable<Entry> {
    const session = await Held.of(this.transactions)
    try {
      await session.run(`begin isolation level repeatable read read only`)
      await session.run(`set local idle_in_transaction_session_timeout = ${limits.storeWalkIdleMs}`)
      let after: Key | undefined
      let rows = firstRows
      for (let left = limit; left > 0; ) {
        const page = Math.min(rows, left)
        const entries = entriesOf(await session.run(...this.pageOf({ range, after, rows: page })))
        yield* entries
        if (entries.length < page) return
        left -= entries.length
        after = entries.at(-1)?.key
        rows = rowsOf(entries)
      }
    } finally {
      await session.end()
    }
  }

  private pageOf({ range: { from, to, isReversed = false }, after, rows }: Page): [string, (Buffer | number)[]] {
    const { rows: table } = this.names
    const order = isReversed ? 'desc' : 'asc'
    const [first, comparison, last] =
      after === undefined ? [from, '>=', to] : isReversed ? [from, '>=', after] : [after, '>', to]
    const text = `select key, value from ${table} where key ${comparison} $1 and key < $2 order by key ${order} limit $3`
    return [text, [bufferOf(first), bufferOf(last), rows]]
  }
}

/** Returns the number of rows of the next page, so that a page has about as many bytes however large the rows are. */
function rowsOf(entries: readonly Entry[]): number {
  const bytes = entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
  return Math.max(8, Math.min(pageRowsMax, Math.floor((pageBytes * entries.length) / Math.max(1, bytes))))
}

const entriesOf = (rows: Rows): readonly Entry[] =>
  rows.map(([key, value]) => {
    if (key instanceof Uint8Array && value instanceof Uint8Array) return { key, value }
    throw new TypeError('A row of the store is not bytes')
  })

/** A connection that is kept over several turns of a generator. */
class Held {
  private constructor(
    private readonly session: Session,
    private readonly release: (failure?: unknown) => void,
    private readonly done: Promise<unknown>,
  ) {}

  static of(connections: Connections): Promise<Held> {
    return new Promise((resolve, reject) => {
      const done = connections.use(
        (session) =>
          new Promise<void>((end, fail) => {
            resolve(new Held(session, (failure) => (failure === undefined ? end() : fail(failure)), settled))
          }),
      )
      const settled = done.catch((error: unknown) => reject(unavailable(causeOf(error))))
    })
  }

  async run(...statement: Parameters<Session['run']>): Promise<Rows> {
    try {
      return await this.session.run(...statement)
    } catch (error) {
      this.release(error)
      const failure = unavailable(error)
      throw failure instanceof StoreUnavailable ? failure : error
    }
  }

  /** Ends the transaction and returns the connection. */
  async end(): Promise<void> {
    await this.session.run('rollback').catch((error: unknown) => this.release(error))
    this.release()
    await this.done
  }
}
