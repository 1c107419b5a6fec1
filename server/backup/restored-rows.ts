// Rows of a restore, in the data folder or in a database.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { RowsPlace } from '../settings/deployment-id.js'
import { type DataFolder, raiseFolder, readMark, writeMark } from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { isRunning } from '../storage/process-records.js'
import type { Store } from '../storage/store.js'
import { filesOfMark, unfinishedFact } from '../storage/unfinished.js'
import { unfinishedExtension } from '../storage/whole-file.js'
import { markNewest } from '../storage/written-format.js'
import { openLocked } from './locked-store.js'
import { hasRows, removeRows } from './put-rows.js'

/** Mark of an unfinished restore. */
export interface RestoreMark {
  read(): Promise<string | undefined>
  /** Durable when it resolves. */
  write(mark: string): Promise<void>
  remove(): Promise<void>
}

export interface RestoredRows {
  readonly mark: RestoreMark
  readonly place: RowsPlace
  readonly store: Store
  isEmpty(): Promise<boolean>
  /** True while a server runs on them, which the reservation alone does not keep out. */
  isServed(): Promise<boolean>
  clear(): Promise<void>
  /** Removes an empty store that was made for this restore, or for one before it. */
  discard(): Promise<void>
  /** Records that there may be rows of the newest format. */
  raiseFormat(): Promise<void>
  close(): Promise<void>
}

export const folderMark = (data: DataFolder): RestoreMark => ({
  read: () => readMark(data),
  write: (mark) => writeMark(data, mark),
  remove: () => rm(data.restoring, { force: true }),
})

/** Locks the rows until they are closed. Throws `FolderInUse` while a server or another restore has them open. */
export async function rowsInFolder(data: DataFolder): Promise<RestoredRows> {
  const mark = folderMark(data)
  const found = await mark.read()
  const isOwn = !existsSync(data.store) || found !== undefined
  const store = await openLocked(data, filesOfMark(found) !== undefined)
  return {
    mark,
    place: data.root,
    store,
    isEmpty: async () => !(await hasRows(store)),
    isServed: async () => false,
    clear: () => removeRows(store),
    async discard() {
      if (!isOwn || (await hasRows(store))) return
      // In one step, because whoever opens the store next makes one of its own.
      const removed = `${data.store}.${randomUUID()}${unfinishedExtension}`
      await rename(data.store, removed)
      await nodeFiles.remove(removed)
    },
    raiseFormat: () => raiseFolder(data),
    close: () => store.close(),
  }
}

/**
 * Reserves the rows until they are closed. Throws `StoreUnfit` if the database cannot be used; undefined while another
 * copy or restore writes into it.
 */
export async function rowsAt(address: string): Promise<RestoredRows | undefined> {
  const { PostgresStore } = await import('../storage/postgres/postgres-store.js')
  const store = await PostgresStore.open({ address, isCopyTarget: true })
  if (!(await store.reserve())) {
    await store.close()
    return undefined
  }
  return {
    mark: {
      read: () => store.facts.get(unfinishedFact),
      write: (mark) => store.facts.set(unfinishedFact, mark),
      remove: () => store.facts.remove(unfinishedFact),
    },
    place: store.facts,
    store,
    isServed: async () => (await store.processes.list()).some(isRunning),
    isEmpty: async () => !(await hasRows(store)),
    clear: () => store.clear(),
    discard: async () => {},
    raiseFormat: () => markNewest(store.facts),
    close: () => store.close(),
  }
}
