// File system and database that block at one of their calls, so that the process can be killed there.
import { writeSync } from 'node:fs'
import { Level } from 'level'
import { compactable, type Database } from '../../../server/storage/database.js'
import { type Files, nodeFiles, type Sink } from '../../../server/storage/files.js'
import type { Key } from '../../../server/storage/keys.js'
import type { Value } from '../../../server/storage/store.js'

export const say = (line: string) => writeSync(1, `${line}\n`)

export interface Holding {
  readonly files: Files
  openDatabase(path: string): Promise<Database>
  /** Number of calls so far. */
  calls(): number
}

/** Prints `held` when it blocks. `at`: number of the call; 0 = never. */
export function holding(at: number, when: string): Holding {
  let calls = 0

  async function call<Result>(effect: () => Promise<Result>): Promise<Result> {
    calls += 1
    if (calls !== at) return effect()
    if (when === 'after') await effect()
    if (when === 'during') void effect().catch(() => {})
    say('held')
    setInterval(() => {}, 1000)
    return new Promise<never>(() => {})
  }

  const files: Files = {
    ...nodeFiles,
    async create(path): Promise<Sink> {
      const sink = await call(() => nodeFiles.create(path))
      return {
        write: (bytes) => call(() => sink.write(bytes)),
        sync: () => call(() => sink.sync()),
        close: () => sink.close(),
      }
    },
    sync: (path) => call(() => nodeFiles.sync(path)),
    rename: (from, to) => call(() => nodeFiles.rename(from, to)),
    createFolder: (path) => call(() => nodeFiles.createFolder(path)),
    syncFolder: (path) => call(() => nodeFiles.syncFolder(path)),
    remove: (path) => call(() => nodeFiles.remove(path)),
  }

  return {
    files,
    calls: () => calls,
    async openDatabase(path) {
      const level = new Level<Key, Value>(path, { keyEncoding: 'view', valueEncoding: 'view' })
      await level.open()
      return {
        getSync: (key, options) => level.getSync(key, options),
        snapshot: () => level.snapshot(),
        batch: (writes, { sync }) => call(() => level.batch(writes, { sync })),
        iterator: (range) => level.iterator(range),
        compactRange: (start, end) => call(() => compactable(level).compactRange(start, end)),
        approximateSize: (start, end) => compactable(level).approximateSize(start, end),
        close: () => level.close(),
      }
    },
  }
}
