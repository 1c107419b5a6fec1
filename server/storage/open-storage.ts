// Opens the storage of a document server (store, blobs, leases) in a safe order and closes it in reverse.
import { mkdir } from 'node:fs/promises'
import type { Random } from '../../core/ports/random.js'
import type { Blobs } from './blobs.js'
import type { Bus } from './bus.js'
import { dataFolderAt, layOut, refuseForeign } from './data-folder.js'
import type { DecodedRows } from './decoded-rows.js'
import type { Files } from './files.js'
import { FolderBlobs } from './folder-blobs.js'
import { type FreeSpace, freeSpaceOf } from './free-space.js'
import { LargeValues } from './large-values.js'
import type { Leases } from './leases.js'
import type { LevelStoreOptions } from './level-store.js'
import { MemoryBus } from './memory-bus.js'
import { MemoryLeases } from './memory-leases.js'
import { openStore } from './open-store.js'
import { PageFacts } from './page-facts.js'
import type { ReserveFile } from './reserve-file.js'
import type { Store, StoreBroken } from './store.js'
import { Tables } from './tables.js'

export interface StorageOptions extends Pick<LevelStoreOptions, 'openDatabase' | 'onSynced'> {
  /** Path of the data folder, which is created if missing. */
  readonly folder: string
  /** SHA-256 of a file, in lower-case hex; runs in a worker thread. Without it bytes are hashed in this thread. */
  readonly digest?: (path: string) => Promise<string>
  readonly files?: Files
  readonly freeSpace?: FreeSpace
  readonly random?: Random
  /** Default: rows are decoded each time they are read. */
  readonly decodedRows?: DecodedRows
}

export interface Storage {
  readonly store: Store
  readonly tables: Tables
  readonly blobs: Blobs
  /** Page facts of versions, which may be too large for a row. */
  readonly pageFacts: LargeValues<typeof PageFacts>
  readonly leases: Leases
  readonly bus: Bus
  /** Resolves when the store is broken and the process must end; otherwise never. */
  readonly failed: Promise<StoreBroken>
  close(): Promise<void>
}

/**
 * Opens the storage. Throws `FolderInUse` while another process uses the folder, and `DataFolderUnfit` for a folder
 * that cannot be served.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { digest, files, random, openDatabase, onSynced } = options
  const { promise: failed, resolve: onBroken } = outcome<StoreBroken>()
  const folder = dataFolderAt(options.folder)
  await refuseForeign(folder)
  await layOut(folder)
  await mkdir(folder.store, { recursive: true, mode: 0o700 })
  const freeSpace = options.freeSpace ?? freeSpaceOf(folder.root)
  // The store is opened first, because its lock proves that no other process uses the staging folder, which is emptied
  // next.
  const { store, reserve } = await openStore({
    folder,
    freeSpace,
    onBroken,
    ...(openDatabase ? { openDatabase } : {}),
    ...(onSynced ? { onSynced } : {}),
  })
  try {
    const blobs = await FolderBlobs.open({
      folder: folder.blobs,
      staging: folder.staging,
      freeSpace,
      ...(digest ? { digest } : {}),
      ...(files ? { files } : {}),
      ...(random ? { random } : {}),
    })
    reserve.watch()
    return assemble({ store, tables: new Tables(store, options.decodedRows), blobs, failed, reserve })
  } catch (error) {
    await store.close()
    throw error
  }
}

function assemble({
  store,
  tables,
  blobs,
  failed,
  reserve,
}: Pick<Storage, 'store' | 'tables' | 'blobs' | 'failed'> & { readonly reserve: ReserveFile }): Storage {
  const leases = new MemoryLeases()
  const bus = new MemoryBus()
  return {
    store,
    tables,
    blobs,
    pageFacts: new LargeValues('page-facts', PageFacts, blobs),
    leases,
    bus,
    failed,
    async close() {
      await bus.close()
      await leases.close() // Holders of leases may still write.
      await reserve.close()
      await store.close()
    },
  }
}

function outcome<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
