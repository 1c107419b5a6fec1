// Store of a single process on LevelDB. This class is the only writer, so expectations need no locks, and commits that
// arrive during a sync share the next one.
import { limits } from '../limits.js'
import { type Database, openDatabase as openLevel, removeNotes } from './database.js'
import { edgesOf, joinedRanges } from './forgotten-ranges.js'
import { type FreeSpace, freeSpaceOf } from './free-space.js'
import { type Group, judge, type Request } from './group-commit.js'
import type { Key, KeyRange } from './keys.js'
import type { ReserveFile } from './reserve-file.js'
import {
  type Commit,
  type CommitOutcome,
  type Entry,
  type Range,
  type Store,
  StoreBroken,
  type Value,
} from './store.js'
import { StoreRoom } from './store-room.js'
import { refuseUnwritable } from './unwritable.js'

export interface LevelStoreOptions {
  readonly folder: string
  /** Default true; a check must not create an empty store. */
  readonly createIfMissing?: boolean
  /** Called once, when the store is broken. */
  readonly onBroken?: (error: StoreBroken) => void
  /** Called after each synced batch, which may contain several commits. */
  readonly onSynced?: () => void
  readonly openDatabase?: (folder: string, options: { readonly createIfMissing: boolean }) => Promise<Database>
  readonly freeSpace?: FreeSpace
  /** Reserve file, released for urgent commits. */
  readonly reserve?: ReserveFile
}

/** Number of entries that a walk over a range reads at once. */
const rangeChunkEntries = 256

/** Key that no row has: removing it is a real, synced write without effect. */
const probeKey = Uint8Array.of(0)

interface QueuedCommit extends Request {
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: unknown) => void
}

export class LevelStore implements Store {
  private waiting: QueuedCommit[] = []
  private writer: Promise<void> | undefined
  private broken: StoreBroken | undefined
  private isWriting = false
  private isClosing = false
  /** Running walks over ranges. Each has a snapshot, which prevents LevelDB from dropping old values. */
  private readonly walks = new Set<Promise<void>>()

  private constructor(
    private readonly database: Database,
    private readonly room: StoreRoom,
    private readonly onBroken: (error: StoreBroken) => void,
    private readonly onSynced: () => void,
  ) {}

  /** Throws `FolderInUse` while another process has it open. */
  static async open(options: LevelStoreOptions): Promise<LevelStore> {
    const {
      folder,
      createIfMissing = true,
      openDatabase = openLevel,
      onBroken = () => {},
      onSynced = () => {},
    } = options
    const database = await openDatabase(folder, { createIfMissing })
    await removeNotes(folder)
    const room = new StoreRoom(options.freeSpace ?? freeSpaceOf(folder), options.reserve)
    return new LevelStore(database, room, onBroken, onSynced)
  }

  /**
   * Reads synchronously: rows are small and usually in memory, and a round trip to another thread costs ten times the
   * read.
   */
  async get(key: Key): Promise<Value | undefined> {
    this.refuseWhenUnfit()
    return this.read(key)
  }

  /** Returns rows of one moment, also while a batch is being written. */
  async getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    this.refuseWhenUnfit()
    if (!this.isWriting || keys.length < 2) return this.readAll(keys)
    const snapshot = this.database.snapshot()
    try {
      return keys.map((key) => this.database.getSync(key, { snapshot }))
    } finally {
      await snapshot.close()
    }
  }

  async *range({ from, to, isReversed = false, limit = -1 }: Range): AsyncIterable<Entry> {
    this.refuseWhenUnfit()
    const iterator = this.database.iterator({ gte: from, lt: to, reverse: isReversed, limit })
    let end = () => {}
    const walk = new Promise<void>((done) => {
      end = done
    })
    this.walks.add(walk)
    try {
      for (;;) {
        const entries = await iterator.nextv(rangeChunkEntries)
        if (entries.length === 0) return
        for (const [key, value] of entries) yield { key, value }
      }
    } finally {
      await iterator.close()
      this.walks.delete(walk)
      end()
    }
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    this.refuseWhenUnfit()
    refuseUnwritable(commit)
    return new Promise((resolve, reject) => {
      this.waiting.push({ commit, resolve, reject })
      this.writer ??= this.write()
    })
  }

  /**
   * Erases overwritten values from the files. LevelDB drops old values while it merges a file into one of a deeper
   * level. The first compaction moves everything from memory and log into tables. Removing keys at the edges, which
   * no row has, then creates a table that covers the range and lies above all of these, so that the second compaction
   * rewrites them.
   */
  async forget(ranges: readonly KeyRange[]): Promise<void> {
    this.refuseWhenUnfit()
    await Promise.all(this.walks)
    await this.room.forChanges()
    const { database } = this
    const joined = await joinedRanges(ranges, (from, to) => database.approximateSize(from, to))
    for (const { from, to } of joined) await database.compactRange(from, to)
    const edges = joined.flatMap(edgesOf)
    const outcome = await this.commit({
      expect: edges.map((key) => ({ key, value: undefined })),
      put: [],
      delete: edges,
    })
    if (outcome !== 'committed') throw new RangeError('A range that ends where rows are cannot be forgotten')
    for (const { from, to } of joined) await database.compactRange(from, to)
  }

  async probe(): Promise<void> {
    await this.commit({ expect: [], put: [], delete: [probeKey] })
  }

  async close(): Promise<void> {
    this.isClosing = true
    await this.writer
    await this.database.close()
  }

  /** Never rejects: every failure is reported to the commits it concerns. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, limits.groupCommitsMax)
      try {
        await this.writeGroup(group)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.writer = undefined
  }

  private async writeGroup(requests: readonly QueuedCommit[]): Promise<void> {
    if (this.broken) throw this.broken
    const affordable = await this.affordable(requests)
    const group = judge(affordable, (keys) => this.readAll(keys))
    if (group.writes.length > 0) await this.writeBatch(group)
    for (const [index, outcome] of group.outcomes.entries()) affordable[index]?.resolve(outcome)
  }

  /** Accepts only urgent commits on a full disk. */
  private async affordable(requests: readonly QueuedCommit[]): Promise<readonly QueuedCommit[]> {
    const refusals = await this.room.checkCommits(requests.map(({ commit }) => commit))
    return requests.filter(({ reject }, index) => {
      const refusal = refusals[index]
      if (refusal !== undefined) reject(refusal)
      return refusal === undefined
    })
  }

  private async writeBatch({ writes }: Group): Promise<void> {
    this.isWriting = true
    try {
      await this.database.batch([...writes], { sync: true })
      this.onSynced()
    } catch (error) {
      // The outcome of the batch is unknown, and LevelDB accepts no writes after the failure.
      this.broken = new StoreBroken(error)
      this.onBroken(this.broken)
      throw this.broken
    } finally {
      this.isWriting = false
    }
  }

  /** Reads in one turn of the event loop, so that all values are of one moment unless a batch is being written. */
  private readAll(keys: readonly Key[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.read(key))
  }

  private read(key: Key): Value | undefined {
    return this.database.getSync(key, {})
  }

  private refuseWhenUnfit(): void {
    if (this.broken) throw this.broken
    if (this.isClosing) throw new Error('The store is closed')
  }
}
