// Copies all rows of a stopped deployment from one store to another, and verifies the copy by reading both again.
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { limits } from '../limits.js'
import {
  type DataFolder,
  DataFolderUnfit,
  dataFolderAt,
  inspectDataFolder,
  layOut,
  raiseFolder,
} from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { LevelStore } from '../storage/level-store.js'
import type { Entry, Store } from '../storage/store.js'
import { markNewest, readFormats } from '../storage/written-format.js'

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

const everyKey = { from: Uint8Array.of(0), to: Uint8Array.of(0xff) }
const unfinished = 'unfinished copy'
const batchBytes = 1024 * 1024

interface Target {
  readonly store: Store
  /** Marks the target as complete. */
  finish(): Promise<void>
}

/**
 * Copies the rows in the order of their keys with bounded memory. A copy that was interrupted leaves its target marked:
 * no server starts on it, and the next copy starts over. Throws `CopyRefused` for a target with rows, and
 * `FolderInUse` while a server uses a folder.
 */
export async function copyStore({ from, to }: CopyStoreOptions): Promise<StoreDigest> {
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
    try {
      await copyRows(source, target.store)
      const [expected, actual] = [await digestOf(source), await digestOf(target.store)]
      if (expected.sha256 !== actual.sha256) {
        throw new CopyRefused('The copy differs from its source, which was changed meanwhile. Stop every server on it.')
      }
      await target.finish()
      return actual
    } finally {
      await target.store.close()
    }
  } finally {
    await source.close()
  }
}

export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

const isAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

const openPostgres = async (address: string, isCopyTarget: boolean) => {
  const { PostgresStore } = await import('../storage/postgres/postgres-store.js')
  const store = await PostgresStore.open({ address, isCopyTarget })
  try {
    await readFormats(store.facts) // Refuses rows of a format that this version does not know.
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openSource(from: string): Promise<Store> {
  if (isAddress(from)) return openPostgres(from, false)
  const data = dataFolderAt(from)
  if ((await inspectDataFolder(data)) === 'empty') throw new DataFolderUnfit(`${from} is no data folder.`)
  return LevelStore.open({ folder: data.store, createIfMissing: false })
}

async function openTarget(to: string): Promise<Target> {
  return isAddress(to) ? openDatabase(to) : openFolder(dataFolderAt(to))
}

async function openDatabase(address: string): Promise<Target> {
  const store = await openPostgres(address, true)
  try {
    if ((await store.facts.get(unfinished)) === undefined) {
      await refuseRows(store)
      await store.facts.set(unfinished, new Date().toISOString())
    } else await store.clear()
    await markNewest(store.facts)
    return { store, finish: () => store.facts.remove(unfinished) }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openFolder(data: DataFolder): Promise<Target> {
  const wasInterrupted = (await nodeFiles.size(data.restoring)) !== undefined
  if (!wasInterrupted) await layOut(data)
  if (wasInterrupted) await nodeFiles.remove(data.store)
  const store = await LevelStore.open({ folder: data.store })
  try {
    await refuseRows(store)
    await raiseFolder(data)
    await writeFile(data.restoring, '', { mode: 0o600 })
    await nodeFiles.syncFolder(data.root)
    return { store, finish: () => rm(data.restoring) }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function refuseRows(store: Store): Promise<void> {
  for await (const _ of store.range({ ...everyKey, limit: 1 })) {
    throw new CopyRefused('The target already has records; a copy needs an empty store.')
  }
}

async function copyRows(source: Store, target: Store): Promise<void> {
  let put: Entry[] = []
  let bytes = 0
  const write = async () => {
    const outcome = put.length === 0 ? 'committed' : await target.commit({ expect: [], put, delete: [] })
    if (outcome !== 'committed') throw new CopyRefused('The connection to the target was lost; run the command again.')
    put = []
    bytes = 0
  }
  for await (const entry of source.range(everyKey)) {
    put.push(entry)
    bytes += entry.key.length + entry.value.length
    if (put.length >= limits.sweepRowsMax || bytes >= batchBytes) await write()
  }
  await write()
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
