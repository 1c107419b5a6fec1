// Opens the store: the one of the data folder, or the database at an address. LevelDB writes while it opens, so on a
// full disk the reserve file is released first.
import { limits } from '../limits.js'
import type { DataFolder } from './data-folder.js'
import type { DeploymentFacts } from './deployment-facts.js'
import { type FreeSpace, freeSpaceOf, isDiskFull, rememberedFor } from './free-space.js'
import { LevelStore, type LevelStoreOptions } from './level-store.js'
import type { Measurement } from './measurement.js'
import type { ProcessRecords } from './process-records.js'
import { ReserveFile } from './reserve-file.js'
import type { Store } from './store.js'

export interface OpenedStore {
  readonly store: Store
  /** Reserve of a store on the disk of the data folder. */
  readonly reserve?: ReserveFile
  /** Only of a store that several processes share. */
  readonly facts?: DeploymentFacts
  readonly processes?: ProcessRecords
  readonly measurements?: readonly Measurement[]
}

export interface OpenStoreOptions extends Omit<LevelStoreOptions, 'folder' | 'reserve'> {
  readonly folder: DataFolder
  /** Address of a database; undefined = the store of the folder. */
  readonly address?: string | undefined
}

/** Throws `FolderInUse` while another process has the store open, and `StoreUnfit` for a database of no use. */
export async function openStore({ address, ...options }: OpenStoreOptions): Promise<OpenedStore> {
  if (address === undefined) return openInFolder(options)
  const { PostgresStore } = await import('./postgres/postgres-store.js')
  const { onSynced } = options
  const store = await PostgresStore.open({ address, ...(onSynced ? { onSynced } : {}) })
  const { facts, processes, measurements } = store
  return { store, facts, processes, measurements }
}

async function openInFolder({ folder, ...options }: Omit<OpenStoreOptions, 'address'>): Promise<OpenedStore> {
  const freeSpace: FreeSpace = options.freeSpace ?? freeSpaceOf(folder.root)
  const reserve = new ReserveFile(folder.reserve, freeSpace)
  const open = () =>
    LevelStore.open({
      ...options,
      folder: folder.store,
      freeSpace: rememberedFor(limits.freeSpaceRememberedMs, freeSpace),
      reserve,
    })
  try {
    return { store: await open(), reserve }
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await reserve.release()
    return { store: await open(), reserve }
  }
}
