// Finds the `.env` file of the project: the nearest one from the file's folder up to the root of the repository, or,
// outside a repository, up to the home folder.
import { dirname, join, sep } from 'node:path'
import { parse } from 'dotenv'
import { Problem } from '../diagnostic.js'
import type { Disk } from '../ports/disk.js'
import { declarationLimits } from './limits.js'
import { problems } from './problems.js'
import { decode } from './source.js'

export interface Dotenv {
  readonly values: ReadonlyMap<string, string>
  /** Path of the file. */
  readonly source?: {
    /** Absolute path of the file. */
    readonly file: string
    readonly text: string
  }
}

/** Reads the nearest `.env`. `home` is the user's home folder, if there is one. */
export async function readDotenv(disk: Disk, folder: string, home?: string): Promise<Dotenv> {
  for (const candidate of await foldersToSearch(disk, folder, home)) {
    const file = join(candidate, '.env')
    const status = await disk.status(file)
    if (status?.kind !== 'file') continue
    if (status.sizeBytes > declarationLimits.dotenvBytesMax) {
      const detail = `${file} has ${status.sizeBytes} bytes; the limit is ${declarationLimits.dotenvBytesMax}.`
      throw new Problem({ code: 'variable.file-too-large', ...problems['variable.file-too-large'], detail })
    }
    const text = decode(await disk.read(file))
    if (text === undefined) {
      const detail = `${file} holds bytes that are not UTF-8.`
      throw new Problem({ code: 'variable.file-not-utf8', ...problems['variable.file-not-utf8'], detail })
    }
    return { values: new Map(Object.entries(parse(text))), source: { file, text } }
  }
  return { values: new Map() }
}

/**
 * Returns the folders from this one up to the nearest one with `.git`. Without a repository, these are only folders
 * below the home folder: a file further up may belong to another user.
 */
async function foldersToSearch(disk: Disk, folder: string, home: string | undefined): Promise<readonly string[]> {
  const folders: string[] = []
  for (let current = folder; ; current = dirname(current)) {
    folders.push(current)
    if ((await disk.status(join(current, '.git'))) !== null) return folders
    if (dirname(current) === current) return [folder, ...folders.slice(1).filter((above) => isBelow(above, home))]
  }
}

function isBelow(folder: string, home: string | undefined): boolean {
  return home !== undefined && home !== '' && folder.startsWith(home.endsWith(sep) ? home : home + sep)
}
