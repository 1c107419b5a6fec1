// Commits: one round trip each, repeated while other transactions are in the way, and resolved by reading after a lost
// connection.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.js'
import { textOf } from '../bytes.js'
import type { Key } from '../keys.js'
import { MemoryLeases } from '../memory-leases.js'
import { type Commit, type CommitOutcome, StoreUnavailable, type Value } from '../store.js'
import { type Connections, causeOf, NoConnection, type Session } from './connections.js'
import { isOfStatement, isRepeatable, unavailable } from './failures.js'
import { type CommitParameters, encodeCommit } from './operations.js'
import type { Names } from './schema.js'

/** Attempts on current values before the amended rows are locked first. */
const optimisticAttemptsMax = 4
const attemptsMax = 40

/** `amended`: an amended row had another value; nothing was written. */
type Attempt = CommitOutcome | 'amended'

export class Commits {
  /** Values of amended rows as last seen: a guess that saves a read, because the commit verifies it. */
  private readonly seen = new Map<string, Value | undefined>()
  /** Queues of the commits of this process that amend the same row. */
  private readonly queues = new MemoryLeases()

  constructor(
    private readonly connections: Connections,
    private readonly names: Names,
    private readonly readAll: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
  ) {}

  /** Throws `StoreUnavailable` if nothing was written, and never will be. */
  async commit(commit: Commit): Promise<CommitOutcome> {
    const keys = (commit.amend ?? []).map(({ key }) => key)
    const names = [...new Set(keys.map(textOf))].sort()
    const inTurn = (at: number): Promise<CommitOutcome> => {
      const name = names[at]
      return name === undefined ? this.attempts(commit, keys) : this.queues.hold(name, () => inTurn(at + 1))
    }
    return inTurn(0)
  }

  /** Notes the value of a row, if it is one that is amended. */
  note(key: Key, value: Value | undefined): void {
    const text = textOf(key)
    if (this.seen.has(text)) this.seen.set(text, value)
  }

  private async attempts(commit: Commit, amended: readonly Key[]): Promise<CommitOutcome> {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (attempt > 1) await setTimeout(Math.random() * Math.min(2 ** attempt, limits.storeRetryPauseMaxMs))
      try {
        const outcome =
          attempt <= optimisticAttemptsMax || amended.length === 0
            ? await this.attempt(commit, amended)
            : await this.lockedAttempt(commit, amended)
        if (outcome !== 'amended') return outcome
        for (const key of amended) this.seen.delete(textOf(key))
      } catch (error) {
        if (!isRepeatable(error)) throw unavailable(causeOf(error))
      }
    }
    throw new StoreUnavailable(new Error('Other transactions changed the same rows all the time'))
  }

  /** Commits in one statement, with the values of amended rows as last seen. */
  private async attempt(commit: Commit, amended: readonly Key[]): Promise<Attempt> {
    await this.see(amended.filter((key) => !this.seen.has(textOf(key))))
    const encoded = encodeCommit(commit, this.seen)
    if (encoded === undefined) return 'conflict'
    const outcome = await this.sent((session, turn) => this.send(session, turn, encoded.parameters))
    if (outcome === 'committed') for (const [key, value] of encoded.amended) this.remember(key, value)
    return outcome
  }

  /** Locks the amended rows before they are read, for rows that many processes amend at once. */
  private async lockedAttempt(commit: Commit, amended: readonly Key[]): Promise<Attempt> {
    return this.sent(async (session, turn) => {
      await session.run('begin')
      try {
        const current = new Map<string, Value | undefined>()
        for (const key of [...amended].sort(Buffer.compare)) {
          const [[value] = []] = await session.run(`select value from ${this.names.rows} where key = $1 for update`, [
            Buffer.from(key),
          ])
          current.set(textOf(key), value instanceof Uint8Array ? value : undefined)
        }
        const encoded = encodeCommit(commit, current)
        const outcome = encoded === undefined ? 'conflict' : await this.send(session, turn, encoded.parameters)
        await session.run(outcome === 'committed' ? 'commit' : 'rollback')
        return outcome
      } catch (error) {
        if (isOfStatement(error)) await session.run('rollback')
        throw error
      }
    })
  }

  private async send(session: Session, turn: number, parameters: CommitParameters): Promise<Attempt> {
    const [[outcome] = []] = await session.run(`select ${this.names.commitRows}($1, $2, $3, $4, $5, $6, $7)`, [
      ...parameters,
      session.writer,
      turn,
      String(limits.storeLockTimeoutMs),
    ])
    if (outcome === 'committed' || outcome === 'conflict' || outcome === 'amended') return outcome
    throw new Error(`A commit of another connection has the same writer: ${outcome}`)
  }

  /** Sends a commit. If the connection is lost, learns the outcome on another one. */
  private async sent(send: (session: Session, turn: number) => Promise<Attempt>): Promise<Attempt> {
    const place = { writer: '', turn: 0 }
    try {
      return await this.connections.use((session) => {
        session.turns += 1
        place.writer = session.writer
        place.turn = session.turns
        return send(session, session.turns)
      })
    } catch (error) {
      if (error instanceof NoConnection || isOfStatement(error)) throw error
      const isCommitted = await this.resolve(place)
      if (isCommitted === undefined) return 'unknown'
      if (isCommitted) return 'committed'
      throw new StoreUnavailable(error)
    }
  }

  /** Returns whether the commit took effect; undefined if the database did not answer in time. */
  private async resolve({ writer, turn }: { readonly writer: string; readonly turn: number }) {
    const until = performance.now() + limits.storeResolveMs
    for (;;) {
      try {
        const [[isCommitted] = []] = await this.connections.use((session) =>
          session.run(`select ${this.names.resolveCommit}($1, $2, $3)`, [
            writer,
            turn,
            String(limits.storeLockTimeoutMs),
          ]),
        )
        return isCommitted === true
      } catch {
        if (performance.now() > until) return undefined
      }
      await setTimeout(limits.storeRetryPauseMaxMs)
    }
  }

  private async see(keys: readonly Key[]): Promise<void> {
    if (keys.length === 0) return
    const values = await this.readAll(keys)
    for (const [index, key] of keys.entries()) this.remember(textOf(key), values[index])
  }

  private remember(key: string, value: Value | undefined): void {
    this.seen.delete(key)
    this.seen.set(key, value)
    for (const oldest of this.seen.keys()) {
      if (this.seen.size <= limits.storeSeenRowsMax) return
      this.seen.delete(oldest)
    }
  }
}
