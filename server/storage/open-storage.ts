// Opens the storage of a document server (store, blobs, leases) in a safe order and closes it in reverse.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Random } from '../../core/ports/random.js'
import type { Blobs } from './blobs.js'
import type { Bus } from './bus.js'
import {
  type DataFolder,
  DataFolderUnfit,
  dataFolderAt,
  inspectDataFolder,
  layOut,
  raiseFolder,
  refuseForeign,
} from './data-folder.js'
import type { DecodedRows } from './decoded-rows.js'
import type { DeploymentFacts } from './deployment-facts.js'
import { type Files, nodeFiles } from './files.js'
import { FormattedStore } from './formatted-store.js'
import { type FreeSpace, freeSpaceOf } from './free-space.js'
import { LargeValues } from './large-values.js'
import type { Leases } from './leases.js'
import type { LevelStoreOptions } from './level-store.js'
import type { Measurement } from './measurement.js'
import { openBlobs } from './open-blobs.js'
import { type Coordination, openCoordination } from './open-coordination.js'
import { openStore } from './open-store.js'
import { findOthersFolder, ownFolder } from './own-folder.js'
import { PageFacts } from './page-facts.js'
import type { ProcessRecords } from './process-records.js'
import type { OnRedisEvent } from './redis/redis-connection.js'
import type { ReserveFile } from './reserve-file.js'
import type { Store } from './store.js'
import { Tables } from './tables.js'
import { WrittenFormat } from './written-format.js'

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
  /** Addresses of distributed engines. Default: embedded ones in the data folder and in this process. */
  readonly engines?: EngineAddresses
  /** Called when the connection to Redis, or a lease in it, is lost or back. */
  readonly onRedisEvent?: OnRedisEvent
}

/** Addresses of the engines that several processes share; undefined = the embedded one. */
export interface EngineAddresses {
  readonly store?: string | undefined
  readonly blobs?: string | undefined
  readonly redis?: string | undefined
  /** Maximum total size of local copies of blobs that are stored elsewhere. */
  readonly blobCacheBytes?: number | undefined
}

export interface Storage {
  readonly store: Store
  readonly tables: Tables
  readonly blobs: Blobs
  /** Page facts of versions, which may be too large for a row. */
  readonly pageFacts: LargeValues<typeof PageFacts>
  readonly leases: Leases
  readonly bus: Bus
  /** Redis that processes coordinate through; undefined = this process is alone. */
  readonly redis: Coordination['redis']
  /** Only with a store that several processes share. */
  readonly facts?: DeploymentFacts
  /** Records of the processes on such a store. */
  readonly processes?: ProcessRecords
  /** Figures of the engines for `/metrics`. */
  readonly measurements: readonly Measurement[]
  /**
   * Resolves when the process must end, because the store is broken or its rows are raised to a format that this version
   * does not know; otherwise never.
   */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

/**
 * Opens the storage. Throws `FolderInUse` while another process uses the folder, and `DataFolderUnfit` for a folder
 * that cannot be served, and `StoreUnfit` for a database that cannot be used.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { digest, files, random, openDatabase, onSynced, engines = {} } = options
  const { promise: failed, resolve: onBroken } = outcome<Error>()
  const folder = dataFolderAt(options.folder)
  await refuseForeign(folder)
  await layOut(folder)
  if (engines.store === undefined) {
    await refuseUsedElsewhere(folder)
    await mkdir(folder.store, { recursive: true, mode: 0o700 })
  }
  const freeSpace = options.freeSpace ?? freeSpaceOf(folder.root)
  // The store of the folder is opened first, because its lock proves that no other process uses the staging folder, which is
  // emptied next.
  const {
    store: opened,
    reserve,
    facts,
    processes,
    measurements = [],
  } = await openStore({
    folder,
    address: engines.store,
    freeSpace,
    onBroken,
    ...(openDatabase ? { openDatabase } : {}),
    ...(onSynced ? { onSynced } : {}),
  })
  let written: WrittenFormat | undefined
  try {
    // A copy or restore may have marked the folder before the store was locked here.
    await inspectDataFolder(folder)
    if (facts) written = await WrittenFormat.watch(facts, onBroken)
    else await raiseFolder(folder)
    const store = written ? new FormattedStore(opened, written) : opened
    const { staging, copies } = engines.store === undefined ? folder : await ownFolders(folder, engines)
    const blobs = await openBlobs({
      address: engines.blobs,
      folder: folder.blobs,
      isShared: engines.store !== undefined,
      staging,
      copies,
      copiesBytesMax: engines.blobCacheBytes ?? Number.POSITIVE_INFINITY,
      freeSpace,
      ...(digest ? { digest } : {}),
      ...(files ? { files } : {}),
      ...(random ? { random } : {}),
    })
    const coordination = await openCoordination({ address: engines.redis, onEvent: options.onRedisEvent })
    reserve?.watch()
    const tables = new Tables(store, options.decodedRows)
    const storage = { store, tables, blobs, failed, reserve, facts, processes, measurements, coordination, written }
    return assemble({ ...storage, ownStaging: engines.store === undefined ? undefined : staging })
  } catch (error) {
    written?.close()
    await opened.close()
    throw error
  }
}

function assemble({
  store,
  tables,
  blobs,
  failed,
  reserve,
  facts,
  processes,
  measurements,
  written,
  ownStaging,
  coordination: { leases, bus, redis },
}: Pick<Storage, 'store' | 'tables' | 'blobs' | 'failed' | 'measurements'> & {
  readonly reserve: ReserveFile | undefined
  readonly facts: DeploymentFacts | undefined
  readonly processes: ProcessRecords | undefined
  readonly written: WrittenFormat | undefined
  /** Staging folder that no other process uses after this one. */
  readonly ownStaging: string | undefined
  readonly coordination: Coordination
}): Storage {
  return {
    store,
    tables,
    blobs,
    pageFacts: new LargeValues('page-facts', PageFacts, blobs),
    leases,
    bus,
    redis,
    failed,
    measurements: [...measurements, ...(blobs.measurements ?? [])],
    ...(facts ? { facts } : {}),
    ...(processes ? { processes } : {}),
    async close() {
      await bus.close()
      await leases.close() // Holders of leases may still write.
      redis?.close()
      await blobs.close?.()
      if (ownStaging !== undefined) await nodeFiles.remove(ownStaging)
      await reserve?.close()
      written?.close()
      await store.close()
    },
  }
}

/** With the records elsewhere, several processes may use the folder. */
async function ownFolders(folder: DataFolder, { blobs }: EngineAddresses) {
  const staging = await ownFolder(folder.staging)
  if (blobs === undefined) return { staging, copies: folder.copies }
  // A store in the folder may have a server, whose copies are in the folder itself.
  const copies = await ownFolder(folder.copies, { isOnlyUse: !existsSync(folder.store) })
  return { staging, copies }
}

/** A process whose records are elsewhere does not lock the store of the folder. */
async function refuseUsedElsewhere({ root, staging }: DataFolder): Promise<void> {
  const used = await findOthersFolder(staging)
  if (used === undefined) return
  throw new DataFolderUnfit(
    `A server with --store uses ${root}: ${used} belongs to a running process. Stop it, or start with the same --store. If that process is no server, remove ${used}.`,
  )
}

function outcome<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
