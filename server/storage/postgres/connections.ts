// Bounded pools of connections: one for single statements, one for walks, so that walks cannot starve commits.
import type { Pool, PoolClient, QueryResult } from 'pg'
import { limits } from '../../limits.js'
import type { PostgresAddress } from './address.js'
import { endsSession, isOfStatement, unavailable } from './failures.js'

/** Parameter of a statement: bytes are sent as they are. */
export type Parameter = Buffer | string | number

/** Rows as arrays of columns; `bytea` columns are buffers. */
export type Rows = readonly (readonly unknown[])[]

export interface Session {
  /** Identifies the session for the resolution of a lost commit; never used for two sessions. */
  readonly writer: string
  /** Number of commits on this session. */
  turns: number
  /** Runs one statement in one round trip. Not prepared under a name, so that poolers of transactions can be used. */
  run(text: string, parameters?: readonly Parameter[], options?: RunOptions): Promise<Rows>
}

export interface RunOptions {
  /** Time for the answer. Default `limits.storeStatementTimeoutMs`. */
  readonly timeoutMs?: number
}

export class Connections {
  private readonly sessions = new WeakMap<PoolClient, Session>()

  private constructor(private readonly pool: Pool) {
    // The pool removes idle connections that fail; the next statement opens another one.
    pool.on('error', () => {})
    // A connection may be lost between two statements, and in the same moment in which it was made; without a listener that would
    // end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** Connects on first use. */
  static async to({ connection }: PostgresAddress, connectionsMax: number): Promise<Connections> {
    const { default: pg } = await import('pg')
    return new Connections(
      new pg.Pool({
        ...connection,
        max: connectionsMax,
        connectionTimeoutMillis: limits.storeConnectTimeoutMs,
        query_timeout: limits.storeStatementTimeoutMs,
        idleTimeoutMillis: limits.storeConnectionIdleMs,
        keepAlive: true,
      }),
    )
  }

  /** Statements that run or wait for a connection; and open connections. */
  get counters(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.pool
    return { open, idle, waiting }
  }

  /** Runs work on a connection of its own. Throws `StoreUnavailable` if none can be had in time. */
  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.acquire()
    let failure: unknown
    try {
      return await work(this.sessionOf(client))
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(failure !== undefined && endsSession(causeOf(failure)))
    }
  }

  /** Takes a connection until it is released, which closes it. */
  async hold(): Promise<{ readonly session: Session; release(): void }> {
    const client = await this.acquire()
    return { session: this.sessionOf(client), release: () => client.release(true) }
  }

  /** Runs a statement that only reads; repeats it once if an idle connection turns out to be dead. */
  async read(text: string, parameters: readonly Parameter[]): Promise<Rows> {
    const once = () => this.use((session) => session.run(text, parameters))
    try {
      return await once()
    } catch (error) {
      if (isOfStatement(error) || error instanceof NoConnection) throw unavailable(causeOf(error))
    }
    return once().catch((error: unknown) => {
      throw unavailable(causeOf(error))
    })
  }

  /** Waits for running statements. */
  async close(): Promise<void> {
    await this.pool.end()
  }

  private async acquire(): Promise<PoolClient> {
    try {
      return await this.pool.connect()
    } catch (error) {
      throw new NoConnection(error)
    }
  }

  private sessionOf(client: PoolClient): Session {
    const known = this.sessions.get(client)
    if (known !== undefined) return known
    const session: Session = {
      writer: crypto.randomUUID(),
      turns: 0,
      async run(text, parameters = [], { timeoutMs = limits.storeStatementTimeoutMs } = {}) {
        const query = { text, values: [...parameters], rowMode: 'array' as const, query_timeout: timeoutMs }
        const result: QueryResult = await client.query(query)
        return result.rows as unknown as Rows
      },
    }
    this.sessions.set(client, session)
    return session
  }
}

/** No connection could be had, so nothing was sent. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('No connection to the database', { cause })
  }
}

export const causeOf = (error: unknown): unknown => (error instanceof NoConnection ? error.cause : error)
