// The part of LevelDB that the store uses.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { hasCode } from '../../core/ports/disk.js'
import { limits } from '../limits.js'
import type { Key } from './keys.js'
import type { Value } from './store.js'

/** Interface of LevelDB, replaceable by tests that inject faults. */
export interface Database {
  getSync(key: Key, options: { readonly snapshot?: Snapshot }): Value | undefined
  snapshot(): Snapshot
  batch(writes: Write[], options: { readonly sync: boolean }): Promise<void>
  iterator(options: { gte: Key; lt: Key; reverse: boolean; limit: number }): {
    nextv(size: number): Promise<[Key, Value][]>
    close(): Promise<void>
  }
  compactRange(start: Key, end: Key): Promise<void>
  /** Returns the approximate bytes of a range in tables. */
  approximateSize(start: Key, end: Key): Promise<number>
  close(): Promise<void>
}

/** Consistent snapshot of the store. */
export type Snapshot = ReturnType<Level['snapshot']>

export type Write = { type: 'put'; key: Key; value: Value } | { type: 'del'; key: Key }

/** Thrown if another process uses the folder: only one process may work on a data folder. */
export class FolderInUse extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `Another process uses ${folder}. Only one server may use a data folder; stop the other one, or use another folder (--data).`,
      { cause },
    )
    this.name = 'FolderInUse'
  }
}

/** Opens LevelDB. Throws `FolderInUse` while another process has it open. */
export async function openDatabase(
  folder: string,
  { createIfMissing }: { readonly createIfMissing: boolean },
): Promise<Database> {
  makeFilesPrivate()
  const database = new Level<Key, Value>(folder, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    createIfMissing,
    cacheSize: limits.storeCacheBytes,
    writeBufferSize: limits.storeWriteBufferBytes,
  })
  try {
    await database.open()
  } catch (error) {
    throw isLocked(error) ? new FolderInUse(folder, error) : error
  }
  return compactable(database)
}

type Compactable = Pick<Database, 'compactRange' | 'approximateSize'>

/**
 * Sets the umask of the process, because LevelDB creates files at any time. Does nothing in a worker thread, which
 * cannot set it.
 */
function makeFilesPrivate(): void {
  try {
    process.umask(process.umask() | 0o077)
  } catch (error) {
    if (!hasCode(error, 'ERR_WORKER_UNSUPPORTED_OPERATION')) throw error
  }
}

/** Returns the database with its compaction methods, which the type of `level` omits because browsers lack them. */
export function compactable<Some extends object>(database: Some): Some & Compactable {
  if (canCompact(database)) return database
  throw new Error('This LevelDB cannot be compacted')
}

const canCompact = <Some extends object>(database: Some): database is Some & Compactable =>
  ['compactRange', 'approximateSize'].every((name) => typeof Reflect.get(database, name) === 'function')

/**
 * Removes LevelDB's log of compactions, which contains keys and is not used. An open file without a name disappears
 * with its process.
 */
export async function removeNotes(folder: string): Promise<void> {
  for (const name of ['LOG', 'LOG.old']) {
    try {
      await rm(join(folder, name), { force: true })
    } catch (error) {
      // Windows cannot remove an open file.
      if (!hasCode(error, 'EBUSY', 'EPERM')) throw error
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED'
}
