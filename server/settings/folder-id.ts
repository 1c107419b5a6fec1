// Ids that a data folder keeps, each in a file of its own.
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { DataFolderUnfit } from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { isUuid } from '../storage/uuid.js'

export interface FolderId {
  readonly id: string
  /** True if this call made it. */
  readonly isNew: boolean
}

/**
 * Returns the id in the file of this name, and makes one if there is none: `suggested`, or a random one. Processes that
 * start at once agree on one. The id is durable. Throws
 * `DataFolderUnfit` for a file with something else.
 */
export async function folderId(folder: string, name: string, suggested: string = randomUUID()): Promise<FolderId> {
  const path = join(folder, name)
  const unfinished = `${path}.${randomUUID()}`
  let isNew = true
  try {
    await writeFile(unfinished, suggested, { mode: 0o600, flush: true })
    await link(unfinished, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
      isNew = false
    })
    await nodeFiles.syncFolder(folder)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { id: await read(path), isNew }
}

/** Writes another id in place of the one in the file; durable. */
export async function replaceFolderId(folder: string, name: string, id: string): Promise<void> {
  const path = join(folder, name)
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, id, { mode: 0o600, flush: true })
  await rename(unfinished, path)
  await nodeFiles.syncFolder(folder)
}

/** Returns the id in the file of this name; undefined if there is none. */
export async function findFolderId(folder: string, name: string): Promise<string | undefined> {
  try {
    return await read(join(folder, name))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

async function read(path: string): Promise<string> {
  const id = (await readFile(path, 'utf8')).trim()
  if (isUuid(id)) return id
  throw new DataFolderUnfit(`${path} does not hold an id; restore it from a backup of the folder.`)
}
