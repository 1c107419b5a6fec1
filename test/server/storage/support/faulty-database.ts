// LevelDB that counts its batches and fails on request.
import { Level } from 'level'
import { compactable, type Database, type Write } from '../../../../server/storage/database.js'
import type { Key } from '../../../../server/storage/keys.js'
import { LevelStore, type LevelStoreOptions } from '../../../../server/storage/level-store.js'
import type { Value } from '../../../../server/storage/store.js'

export class FaultyDatabase {
  batches = 0
  syncedBatches = 0
  compactions = 0
  failNextBatch: Error | undefined
  failNextRead: Error | undefined

  async open(folder: string, options: Pick<LevelStoreOptions, 'onBroken'> = {}): Promise<LevelStore> {
    return LevelStore.open({ folder, openDatabase: () => this.database(folder), ...options })
  }

  async database(folder: string): Promise<Database> {
    const level = new Level<Key, Value>(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    await level.open()
    return {
      getSync: (key, options) => {
        this.fail('failNextRead')
        return level.getSync(key, options)
      },
      snapshot: () => level.snapshot(),
      batch: async (writes: Write[], { sync }) => {
        this.batches += 1
        if (sync) this.syncedBatches += 1
        this.fail('failNextBatch')
        await level.batch(writes, { sync })
      },
      iterator: (range) => level.iterator(range),
      compactRange: (start, end) => {
        this.compactions += 1
        return compactable(level).compactRange(start, end)
      },
      approximateSize: (start, end) => compactable(level).approximateSize(start, end),
      close: () => level.close(),
    }
  }

  private fail(name: 'failNextBatch' | 'failNextRead'): void {
    const error = this[name]
    this[name] = undefined
    if (error) throw error
  }
}
