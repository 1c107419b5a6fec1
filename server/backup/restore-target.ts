// Empty target of a restore: a data folder, or a database and a storage of files, in any combination. It is locked and
// marked before it is looked at for the last time, so that a server that starts meanwhile is refused or found. A restore
// that finds the mark of an earlier one starts over; it removes only what the mark covers.
import { mkdir, readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { deploymentId } from '../settings/deployment-id.js'
import { forgetPlace } from '../settings/shared-files.js'
import {
  type DataFolder,
  DataFolderUnfit,
  dataFolderAt,
  layOut,
  refuseForeign,
  wholeNames,
} from '../storage/data-folder.js'
import type { EngineAddresses } from '../storage/open-storage.js'
import type { Store } from '../storage/store.js'
import { filesOfMark, plannedMark, restoreMark } from '../storage/unfinished.js'
import { isUnfinished } from '../storage/whole-file.js'
import { filesAt, filesInFolder, folderPlace, type RestoredFiles } from './restored-files.js'
import { folderMark, type RestoredRows, type RestoreMark, rowsAt, rowsInFolder } from './restored-rows.js'

export type RestoreEngines = Pick<EngineAddresses, 'store' | 'blobs'>

/** The target is not empty, or has part of another restore. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

interface Parts {
  readonly data: DataFolder
  readonly rows: RestoredRows
  readonly files: RestoredFiles
  /** The first one is that of the rows. */
  readonly marks: readonly RestoreMark[]
  readonly usesFolder: boolean
}

export class RestoreTarget {
  private constructor(
    private readonly parts: Parts,
    /** True if the mark of an earlier restore covers what is in the target. */
    private readonly wasInterrupted: boolean,
  ) {}

  /**
   * Locks and marks the target. Throws `DataFolderUnfit`, `FolderInUse` or `RestoreRefused` for one that is not empty or in
   * use, which stays as it was, and the errors of the engines.
   */
  static async open(folder: string, { store, blobs }: RestoreEngines): Promise<RestoreTarget> {
    const data = dataFolderAt(folder)
    const usesFolder = store === undefined || blobs === undefined
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (usesFolder) {
      // Before anything is created in it; a planned restore is looked at when it is known to have ended.
      if ((await folderMark(data).read()) !== plannedMark) await refuseUsedFolder(data)
    } else {
      // As in a server, it has local files only.
      await refuseForeign(data)
      await layOut(data)
    }
    const rows = store === undefined ? await rowsInFolder(data) : await rowsAt(store)
    if (rows === undefined) throw new RestoreRefused('Another copy or restore writes into the database.')
    let files: RestoredFiles | undefined
    try {
      files = blobs === undefined ? filesInFolder(data) : await filesAt(blobs, data)
      const marks = store !== undefined && usesFolder ? [rows.mark, folderMark(data)] : [rows.mark]
      const parts = { data, rows, files, marks, usesFolder }
      return new RestoreTarget(parts, await plan(parts))
    } catch (error) {
      await rows.discard().catch(() => {}) // It has no rows.
      await files?.close()
      await rows.close()
      throw error
    }
  }

  get files(): RestoredFiles {
    return this.parts.files
  }

  /** Folder of restored files that can be read directly. */
  get blobFolder(): string | undefined {
    return this.files.place === folderPlace ? this.parts.data.blobs : undefined
  }

  /** Removes what an earlier restore left, and returns the store. */
  async begin(): Promise<Store> {
    const { rows, files, marks } = this.parts
    for (const mark of marks) await mark.write(restoreMark(files.place))
    if (this.wasInterrupted) await this.empty()
    return rows.store
  }

  /** Releases the target to servers. The mark of a database is the last, because it covers files elsewhere too. */
  async finish(): Promise<void> {
    const { data, rows, files, marks } = this.parts
    // The rows of the backup may be of any format up to the newest.
    await rows.raiseFormat()
    // Before the target is free for servers: one with other rows may know some of the documents.
    await files.claim(await deploymentId(rows.place))
    // A server that was here before any rows may have recorded another place.
    if (typeof rows.place !== 'string') await forgetPlace(rows.place)
    await removeMarks(marks)
    await layOut(data)
  }

  /** Releases a target in which nothing was changed. */
  async giveUp(): Promise<void> {
    const { rows, marks } = this.parts
    await removePlanned(marks)
    if (!this.wasInterrupted) await rows.discard()
  }

  /** Removes what was restored. The marks are removed after it, so that an incomplete target always has them. */
  async clear(): Promise<void> {
    await this.empty()
    await removeMarks(this.parts.marks)
    await this.parts.rows.discard()
  }

  async close(): Promise<void> {
    await this.files.close()
    await this.parts.rows.close()
  }

  private async empty(): Promise<void> {
    await this.parts.rows.clear()
    await this.files.clear()
  }
}

/** Marks a target that is fit for a restore. Returns true for one whose restore was interrupted. */
async function plan(parts: Parts): Promise<boolean> {
  const { marks } = parts
  try {
    await refuseUsed(parts)
    const found = await Promise.all(marks.map((mark) => mark.read()))
    for (const [index, mark] of marks.entries()) if (found[index] === undefined) await mark.write(plannedMark)
    // A server that started before it saw a mark is seen now.
    await refuseUsed(parts)
    return found.some(isOfRestore)
  } catch (error) {
    await removePlanned(marks)
    throw error
  }
}

const isOfRestore = (mark: string | undefined): boolean => filesOfMark(mark) !== undefined

async function refuseUsed({ data, rows, files, marks, usesFolder }: Parts): Promise<void> {
  if (await rows.isServed()) throw new RestoreRefused('A server runs on the database. Stop every server on it.')
  const found = await Promise.all(marks.map((mark) => mark.read()))
  for (const mark of found) refuseOtherMark(mark, files.place)
  if (usesFolder) await refuseUsedFolder(data, files.place === folderPlace ? [] : [basename(data.staging)])
  // The mark of the rows covers the files too.
  if (isOfRestore(found[0])) return
  if (!(await rows.isEmpty())) {
    if (typeof rows.place === 'string') throw new DataFolderUnfit(`${rows.place} has records. ${intoNew}`)
    throw new RestoreRefused('The database already has records.')
  }
  if (!(await files.isEmpty())) throw new RestoreRefused(`There are files in ${files.place}.`)
}

function refuseOtherMark(mark: string | undefined, place: string): void {
  if (mark === undefined || mark === plannedMark || filesOfMark(mark) === place) return
  const files = filesOfMark(mark)
  if (files === undefined) throw new RestoreRefused('The database has part of a copy.')
  throw new RestoreRefused(
    `The target has part of a restore whose files are in ${files}, not in ${place}. Repeat it as it was, or name another target.`,
  )
}

const intoNew = 'Restore into a new folder.'

/**
 * Entries of a folder that has no data: secrets are created and backed up apart from it. The rest is of a restore that was
 * interrupted before it changed anything; its store has no rows.
 */
const isAllowed = (name: string, mark: string | undefined): boolean =>
  name === 'secrets.json' ||
  name === 'store' ||
  (name === 'restoring' && mark === plannedMark) ||
  isUnfinished(name, wholeNames)

/** Throws `DataFolderUnfit` for a folder with anything that no mark of a restore covers. `made`: names of this restore. */
async function refuseUsedFolder(data: DataFolder, made: readonly string[] = []): Promise<void> {
  const mark = await folderMark(data).read()
  if (isOfRestore(mark)) return
  const found = (await readdir(data.root)).filter((name) => !isAllowed(name, mark) && !made.includes(name))
  if (found.length > 0) {
    throw new DataFolderUnfit(`${data.root} is not empty (${found.slice(0, 5).join(', ')}). ${intoNew}`)
  }
}

const removeMarks = async (marks: readonly RestoreMark[]): Promise<void> => {
  for (const mark of marks.toReversed()) await mark.remove()
}

async function removePlanned(marks: readonly RestoreMark[]): Promise<void> {
  for (const mark of marks.toReversed()) if ((await mark.read()) === plannedMark) await mark.remove()
}
