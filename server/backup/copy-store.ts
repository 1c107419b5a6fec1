// Copies all rows of a stopped deployment from one store to another, and verifies the copy by reading both again.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type RowsPlace, recordCopy } from '../settings/deployment-id.js'
import { takeFilesOver } from '../settings/shared-files.js'
import {
  type DataFolder,
  dataFolderAt,
  inspectDataFolder,
  layOut,
  raiseFolder,
  readMark,
  refuseForeign,
  writeMark,
} from '../storage/data-folder.js'
import { LevelStore } from '../storage/level-store.js'
import type { PostgresStore } from '../storage/postgres/postgres-store.js'
import { StoreUnfit } from '../storage/postgres/unfit.js'
import { isRunning } from '../storage/process-records.js'
import type { Store } from '../storage/store.js'
import { copyMark, isRestoreMark, unfinishedFact } from '../storage/unfinished.js'
import { markNewest, readFormats } from '../storage/written-format.js'
import { openLocked } from './locked-store.js'
import { everyKey, hasRows, putRows, removeRows } from './put-rows.js'

export interface CopyStoreOptions {
  /** Data folder, or address of a database. */
  readonly from: string
  /** Data folder without rows, or address of a database without rows. */
  readonly to: string
}

export interface StoreDigest {
  readonly rows: number
  /** SHA-256 over all keys and values with their lengths, in lower-case hex. */
  readonly sha256: string
}

interface Source {
  readonly store: Store
  readonly rows: RowsPlace
  /** Throws `CopyRefused` while a server runs on it; undefined for a store that only one process can open. */
  refuseServed?(): Promise<void>
}

interface Target extends Source {
  /** Marks the target as complete. */
  finish(): Promise<void>
}

/**
 * Copies the rows in the order of their keys with bounded memory. A copy that was interrupted leaves its target marked:
 * no server starts on it, and the next copy starts over. Throws `CopyRefused` for a target with rows, and
 * `FolderInUse` while a server uses a folder.
 */
export async function copyStore({ from, to }: CopyStoreOptions): Promise<StoreDigest> {
  for (const place of [from, to]) refuseOtherAddress(place)
  if (from === to) throw new CopyRefused('The source and the target are the same.')
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
    try {
      await putRows(target.store, source.store.range(everyKey), lost)
      const [expected, actual] = [await digestOf(source.store), await digestOf(target.store)]
      if (expected.sha256 !== actual.sha256) {
        throw new CopyRefused('The copy differs from its source, which was changed meanwhile. Stop every server on it.')
      }
      // A server that was started meanwhile answers changes that the target does not have.
      await source.refuseServed?.()
      await recordCopy(source.rows, target.rows)
      if (typeof source.rows !== 'string') await takeFilesOver(target.rows, source.rows)
      await target.finish()
      return actual
    } finally {
      await target.store.close()
    }
  } finally {
    await source.store.close()
  }
}

export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

/** The source is no store. */
export class CopySourceUnfit extends Error {
  override readonly name = 'CopySourceUnfit'
}

/** An address with a misspelt scheme is no folder; it may contain a password, so that the message does not show it. */
function refuseOtherAddress(place: string): void {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\//i.exec(place) ?? []
  if (scheme === undefined || /^postgres(ql)?:\/\//.test(place)) return
  throw new StoreUnfit('address', `An address that begins with "${scheme}:" is not one of postgres://….`)
}

const isAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

const openPostgres = async (address: string, isCopyTarget: boolean) => {
  const { PostgresStore } = await import('../storage/postgres/postgres-store.js')
  const store = await PostgresStore.open({ address, isCopyTarget })
  try {
    await readFormats(store.facts) // Refuses rows of a format that this version does not know.
    await refuseServed(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function refuseServed({ processes, address }: PostgresStore): Promise<void> {
  if (!(await processes.list()).some(isRunning)) return
  throw new CopyRefused(`A server runs on ${address.shown}. Stop every server on it.`)
}

const lost = () => new CopyRefused('The connection to the target was lost; run the command again.')

async function openSource(from: string): Promise<Source> {
  if (isAddress(from)) {
    const store = await openPostgres(from, false)
    return { store, rows: store.facts, refuseServed: () => refuseServed(store) }
  }
  const data = dataFolderAt(from)
  if ((await inspectDataFolder(data)) === 'empty') throw new CopySourceUnfit(`${from} is no data folder.`)
  if (!existsSync(data.store)) throw new CopySourceUnfit(`${from} has no store.`)
  return { store: await LevelStore.open({ folder: data.store, createIfMissing: false }), rows: data.root }
}

async function openTarget(to: string): Promise<Target> {
  return isAddress(to) ? openDatabase(to) : openFolder(dataFolderAt(to))
}

async function openDatabase(address: string): Promise<Target> {
  const store = await openPostgres(address, true)
  try {
    if (!(await store.reserve())) throw new CopyRefused('Another copy or restore writes into the target.')
    const mark = await store.facts.get(unfinishedFact)
    refuseRestore(mark)
    if (mark === undefined) {
      await refuseRows(store)
      await store.facts.set(unfinishedFact, copyMark)
      await refuseServedNow(store)
    } else await store.clear()
    await markNewest(store.facts)
    return { store, rows: store.facts, finish: () => store.facts.remove(unfinishedFact) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A server that started before it saw the mark is seen now. */
async function refuseServedNow(store: PostgresStore): Promise<void> {
  try {
    await refuseServed(store)
  } catch (error) {
    await store.facts.remove(unfinishedFact)
    throw error
  }
}

async function openFolder(data: DataFolder): Promise<Target> {
  const found = await readMark(data)
  refuseRestore(found)
  if (found === undefined) {
    await refuseForeign(data)
    await layOut(data)
  }
  const store = await openLocked(data, found !== undefined)
  try {
    // Another copy or restore may have begun or ended since.
    const mark = await readMark(data)
    refuseRestore(mark)
    if (mark === undefined) await refuseRows(store)
    else await removeRows(store)
    await raiseFolder(data)
    await writeMark(data, copyMark)
    return { store, rows: data.root, finish: () => rm(data.restoring) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Files of an unfinished restore belong to its rows. */
function refuseRestore(mark: string | undefined): void {
  if (!isRestoreMark(mark)) return
  throw new CopyRefused('The target has part of a restore. Repeat "agents documents restore", or name another target.')
}

async function refuseRows(store: Store): Promise<void> {
  if (await hasRows(store)) throw new CopyRefused('The target already has records; a copy needs an empty store.')
}

async function digestOf(store: Store): Promise<StoreDigest> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const { key, value } of store.range(everyKey)) {
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32BE(key.length)
    lengths.writeUInt32BE(value.length, 4)
    hash.update(lengths).update(key).update(value)
    rows += 1
  }
  return { rows, sha256: hash.digest('hex') }
}
