// Store of a data folder, opened to be filled by a copy or a restore: nobody else writes into it until it is closed.
import { mkdir } from 'node:fs/promises'
import type { DataFolder } from '../storage/data-folder.js'
import { FolderInUse } from '../storage/database.js'
import { nodeFiles } from '../storage/files.js'
import { LevelStore } from '../storage/level-store.js'

/**
 * Throws `FolderInUse` while a server, a copy or a restore has it open. `isLeft`: true if what is in it is of a copy or restore
 * that was interrupted, and may be damaged by a loss of power; the source has it in full.
 */
export async function openLocked(data: DataFolder, isLeft: boolean): Promise<LevelStore> {
  await mkdir(data.store, { recursive: true, mode: 0o700 })
  try {
    return await LevelStore.open({ folder: data.store })
  } catch (error) {
    if (error instanceof FolderInUse || !isLeft) throw error
    await nodeFiles.remove(data.store)
    return LevelStore.open({ folder: data.store })
  }
}
