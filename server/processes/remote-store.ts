// The store of the first process, as another process of the server uses it.
import { limits } from '../limits.js'
import { sameBytes } from '../storage/bytes.js'
import type { Key, KeyRange } from '../storage/keys.js'
import type { Commit, CommitOutcome, Entry, Expectation, Range, Store, Value } from '../storage/store.js'
import { type Channel, ChannelClosed } from './channel.js'
import type { Piece } from './served-store.js'

export class RemoteStore implements Store {
  constructor(private readonly channel: Channel) {}

  async get(key: Key): Promise<Value | undefined> {
    const [value] = await this.getMany([key])
    return value
  }

  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    return keys.length === 0 ? Promise.resolve([]) : this.channel.call('store.getMany', keys)
  }

  async *range(range: Range): AsyncIterable<Entry> {
    const { walk, piece } = await this.channel.call<{ walk: number; piece: Piece }>('store.walk', range)
    let { entries, isLast } = piece
    try {
      for (;;) {
        yield* entries
        if (isLast) return
        const next = await this.channel.call<Piece>('store.next', walk)
        entries = next.entries
        isLast = next.isLast
      }
    } finally {
      if (!isLast) this.channel.notify('store.endWalk', walk)
    }
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    try {
      return await (commit.amend?.length ? this.commitAmended(commit) : this.channel.call('store.commit', commit))
    } catch (error) {
      if (error instanceof ChannelClosed) return 'unknown'
      throw error
    }
  }

  forget(ranges: readonly KeyRange[]): Promise<void> {
    return this.channel.call('store.forget', ranges)
  }

  probe(): Promise<void> {
    return this.channel.call('store.probe')
  }

  /** The store itself is closed by the first process. */
  async close(): Promise<void> {}

  /**
   * Amendments are functions, which cannot be sent: their values are computed here and expected to be unchanged at the
   * commit. Where another process was faster, only the amendments are computed again.
   */
  private async commitAmended({ amend = [], ...commit }: Commit): Promise<CommitOutcome> {
    for (let attempt = 0; attempt < limits.amendAttemptsMax; attempt++) {
      const before = await this.getMany(amend.map(({ key }) => key))
      const amended = amend.map(({ key }, index): Expectation => ({ key, value: before[index] }))
      const outcome = await this.channel.call<CommitOutcome>('store.commit', {
        ...commit,
        expect: [...commit.expect, ...amended],
        put: [...commit.put, ...amend.map(({ key, change }, index) => ({ key, value: change(before[index]) }))],
      })
      if (outcome !== 'conflict' || !(await this.hold(commit.expect))) return outcome
    }
    return 'conflict'
  }

  private async hold(expectations: readonly Expectation[]): Promise<boolean> {
    const values = await this.getMany(expectations.map(({ key }) => key))
    return expectations.every(({ value }, index) => sameBytes(values[index], value))
  }
}
