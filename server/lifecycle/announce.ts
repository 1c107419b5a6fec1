// The file `server.json` of a data folder: where the server on it is, for programs on this machine. Of several servers on one
// folder, the file names the one that started last.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { replaceFile } from '../storage/whole-file.js'
import { type Addresses, announcementOf } from './announcement.js'

/** Writes the server's addresses; returns a function that removes them, unless another server has written its own since. */
export async function announce(
  folder: string,
  addresses: Addresses,
  apiTokens: readonly string[],
): Promise<() => Promise<void>> {
  const path = join(folder, 'server.json')
  const text = `${JSON.stringify(await announcementOf(addresses, apiTokens))}\n`
  await replaceFile(path, text)
  return async () => {
    if ((await textOf(path)) === text) await rm(path, { force: true })
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
