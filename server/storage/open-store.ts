// Opens the store of a data folder. LevelDB writes while it opens, so on a full disk the reserve file is released
// first.

import { limits } from '../limits.js'
import type { DataFolder } from './data-folder.js'
import { type FreeSpace, freeSpaceOf, isDiskFull, rememberedFor } from './free-space.js'
import { LevelStore, type LevelStoreOptions } from './level-store.js'
import { ReserveFile } from './reserve-file.js'

export interface OpenedStore {
  readonly store: LevelStore
  readonly reserve: ReserveFile
}

export interface OpenStoreOptions extends Omit<LevelStoreOptions, 'folder' | 'reserve'> {
  readonly folder: DataFolder
}

/** Throws `FolderInUse` while another process has the store open. */
export async function openStore({ folder, ...options }: OpenStoreOptions): Promise<OpenedStore> {
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
