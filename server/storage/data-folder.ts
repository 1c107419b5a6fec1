// Layout of a data folder, and the checks whether this server may open it.
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hasCode } from '../../core/ports/disk.js'
import { newestFormat } from './row-formats.js'
import { copyMark, filesOfMark, plannedMark } from './unfinished.js'
import { isUnfinished, removeInterrupted, replaceFile, writeOnce } from './whole-file.js'

export interface DataFolder {
  readonly root: string
  readonly store: string
  readonly blobs: string
  readonly staging: string
  /** Local copies of blobs that are in a storage elsewhere. */
  readonly copies: string
  /** File with the number of the newest format that rows may have, see `row-formats.ts`. */
  readonly format: string
  /** File that reserves disk space. */
  readonly reserve: string
  /** File that exists while a copy or a restore is unfinished, see `unfinished.ts`. */
  readonly restoring: string
}

export function dataFolderAt(root: string): DataFolder {
  return {
    root,
    store: join(root, 'store'),
    blobs: join(root, 'blobs'),
    staging: join(root, 'workshop'),
    copies: join(root, 'blob-copies'),
    format: join(root, 'format.json'),
    reserve: join(root, 'reserve'),
    restoring: join(root, 'restoring'),
  }
}

/** The folder cannot be served; the message says how to fix it. */
export class DataFolderUnfit extends Error {
  override readonly name = 'DataFolderUnfit'
}

/** Names in a data folder that are written, or removed, as a whole; also by `settings` and `lifecycle`. */
export const wholeNames: readonly string[] = [
  'secrets.json',
  'fingerprints.json',
  'format.json',
  'server.json',
  'files-id',
  'deployment-id',
  'deployment-id-before-copy',
  'restoring',
  'store',
]

const Format = Type.Object({ format: Type.Integer({ minimum: 1 }) })
const formatValidator = Compile(Format)

/** Throws `DataFolderUnfit` for a folder of a newer format, or one whose restore was interrupted. */
export async function inspectDataFolder(folder: DataFolder): Promise<'empty' | 'ours'> {
  const mark = await readMark(folder)
  if (mark !== undefined) throw new DataFolderUnfit(unfinishedMessage(folder, mark))
  const found = await readFormat(folder.format)
  if (found === undefined) return 'empty'
  if (found.format <= newestFormat) return 'ours'
  throw new DataFolderUnfit(
    `${folder.root} has data format ${found.format}; this server reads formats up to ${newestFormat}. Use the version that wrote it.`,
  )
}

/** Returns the content of the mark of an unfinished copy or restore; undefined if there is none. */
export async function readMark({ restoring }: DataFolder): Promise<string | undefined> {
  try {
    return await readFile(restoring, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Writes the mark; durable when it resolves. */
export async function writeMark({ root, restoring }: DataFolder, mark: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await replaceFile(restoring, mark)
}

function unfinishedMessage({ root }: DataFolder, mark: string): string {
  if (mark === plannedMark) {
    return `A restore into ${root} is running, or was interrupted. Run the same "agents documents restore" again.`
  }
  if (mark === copyMark) return `A copy into ${root} was interrupted. Run the same "agents store copy" again.`
  const again = filesOfMark(mark) === undefined ? 'restore again' : 'run the same "agents documents restore" again'
  const hint =
    filesOfMark(mark) === undefined ? 'Remove the folder (the backup has everything) and ' : 'To start over, '
  return `A restore into ${root} was interrupted. ${hint}${again}.`
}

/**
 * Entries that may exist in a new data folder: secrets of an operator, files of an interrupted start, entries of the
 * file system, and what an earlier release left of a server of several processes, which laid out their folders only.
 */
const isHarmless = (name: string): boolean =>
  name === 'secrets.json' ||
  name === 'lost+found' ||
  name === 'server.json' ||
  /^process-\d+$/.test(name) ||
  isUnfinished(name, wholeNames)

/** Throws `DataFolderUnfit` for a folder with other entries: the server empties subfolders, so it must own them. */
export async function refuseForeign(folder: DataFolder): Promise<void> {
  if ((await inspectDataFolder(folder)) === 'ours') return
  const found = (await namesIn(folder.root)).filter((name) => !isHarmless(name))
  if (found.length === 0) return
  // Another process may have laid the folder out meanwhile.
  if ((await inspectDataFolder(folder)) === 'ours') return
  throw new DataFolderUnfit(`${folder.root} is no data folder and not empty (${found.slice(0, 5).join(', ')}).`)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Initialises an empty folder as a data folder, of the first format until `raiseFolder`. */
export async function layOut(folder: DataFolder): Promise<void> {
  await mkdir(folder.root, { recursive: true, mode: 0o700 })
  await makePrivate(folder)
  await removeInterrupted(folder.root, wholeNames)
  if ((await inspectDataFolder(folder)) === 'empty') await writeOnce(folder.format, formatText(1))
}

/**
 * Records that rows of the newest format may be in the folder, which older servers refuse from then on. Only by the
 * process that has the store of the folder open, before it writes rows.
 */
export async function raiseFolder(folder: DataFolder): Promise<void> {
  const found = await readFormat(folder.format)
  if (found === undefined || found.format < newestFormat) await replaceFile(folder.format, formatText(newestFormat))
}

const formatText = (format: number) => `${JSON.stringify({ format } satisfies Static<typeof Format>)}\n`

async function readFormat(path: string): Promise<Static<typeof Format> | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (formatValidator.Check(value)) return value
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DataFolderUnfit(`${path} does not say which format the data folder has; restore the folder from a backup.`)
}

/** Restricts the mode of existing folders, and of files that an earlier version made readable for everybody. */
async function makePrivate({ root, store }: DataFolder): Promise<void> {
  if (process.platform === 'win32') return
  await takeFromOthers(root, 0o700)
  for (const name of await namesIn(store)) await takeFromOthers(join(store, name), 0o600)
}

async function takeFromOthers(path: string, mode: number): Promise<void> {
  const found = await stat(path)
  if ((found.mode & 0o077) === 0) return
  try {
    await chmod(path, mode)
  } catch (error) {
    // A volume that belongs to another user may be accessible to its group.
    if (hasCode(error, 'EPERM') && (found.mode & 0o007) === 0) return
    if (!hasCode(error, 'EPERM', 'EROFS')) throw error
    throw new DataFolderUnfit(`${path} is open to everybody. Run "chmod ${mode.toString(8)} ${path}" as its owner.`)
  }
}
