// Ids that a data folder keeps, each in a file of its own.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { DataFolderUnfit } from '../storage/data-folder.js'
import { isUuid } from '../storage/uuid.js'
import { replaceFile, writeOnce } from '../storage/whole-file.js'

/**
 * Returns the id in the file of this name, and makes one if there is none: `suggested`. Processes that start at once
 * agree on one. The id is durable. Throws `DataFolderUnfit` for a file with something else.
 */
export async function folderId(folder: string, name: string, suggested: string): Promise<string> {
  const path = join(folder, name)
  await writeOnce(path, suggested)
  return read(path)
}

/** Writes another id in place of the one in the file; durable. */
export function replaceFolderId(folder: string, name: string, id: string): Promise<void> {
  return replaceFile(join(folder, name), id)
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
