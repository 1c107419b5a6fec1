// Rows of a restore, in the data folder or in a database.
import { mkdir, rm } from 'node:fs/promises'
import type { RowsPlace } from '../settings/deployment-id.js'
import { type DataFolder, raiseFolder, readMark, writeMark } from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { LevelStore } from '../storage/level-store.js'
import { isRunning } from '../storage/process-records.js'
import type { Store } from '../storage/store.js'
import { unfinishedFact } from '../storage/unfinished.js'
import { markNewest } from '../storage/written-format.js'

/** Mark of an unfinished restore. */
export interface RestoreMark {
  read(): Promise<string | undefined>
  write(mark: string): Promise<void>
  remove(): Promise<void>
}

export interface RestoredRows {
  readonly mark: RestoreMark
  readonly place: RowsPlace
  /** Opens the store, which needs the mark. */
  open(): Promise<Store>
  clear(): Promise<void>
  /** Records that there may be rows of the newest format. */
  raiseFormat(): Promise<void>
  close(): Promise<void>
}

export const everyKey = { from: Uint8Array.of(0), to: Uint8Array.of(0xff) }

export const folderMark = (data: DataFolder): RestoreMark => ({
  read: () => readMark(data),
  write: (mark) => writeMark(data, mark),
  remove: () => rm(data.restoring, { force: true }),
})

export function rowsInFolder(data: DataFolder): RestoredRows {
  let store: LevelStore | undefined
  const close = async () => {
    await store?.close()
    store = undefined
  }
  return {
    mark: folderMark(data),
    place: data.root,
    async open() {
      await mkdir(data.store, { recursive: true, mode: 0o700 })
      store = await LevelStore.open({ folder: data.store })
      return store
    },
    async clear() {
      await close()
      await nodeFiles.remove(data.store)
    },
    raiseFormat: () => raiseFolder(data),
    close,
  }
}

export interface DatabaseRows extends RestoredRows {
  /** Returns false while another copy or restore writes into the database. */
  reserve(): Promise<boolean>
  isEmpty(): Promise<boolean>
  /** True while a server runs on the database. */
  isServed(): Promise<boolean>
}

/** Throws `StoreUnfit` if the database cannot be used. */
export async function rowsAt(address: string): Promise<DatabaseRows> {
  const { PostgresStore } = await import('../storage/postgres/postgres-store.js')
  const store = await PostgresStore.open({ address, isCopyTarget: true })
  return {
    mark: {
      read: () => store.facts.get(unfinishedFact),
      write: (mark) => store.facts.set(unfinishedFact, mark),
      remove: () => store.facts.remove(unfinishedFact),
    },
    place: store.facts,
    reserve: () => store.reserve(),
    isServed: async () => (await store.processes.list()).some(isRunning),
    async isEmpty() {
      for await (const _ of store.range({ ...everyKey, limit: 1 })) return false
      return true
    },
    open: async () => store,
    clear: () => store.clear(),
    raiseFormat: () => markNewest(store.facts),
    close: () => store.close(),
  }
}
