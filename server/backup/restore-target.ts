// Empty target of a restore: a data folder, or a database and a storage of files, in any combination. It is marked until
// the restore has ended. A restore that finds the mark of an earlier one starts over; it removes only what the mark
// covers.
import { mkdir, readdir } from 'node:fs/promises'
import { deploymentId } from '../settings/deployment-id.js'
import {
  type DataFolder,
  DataFolderUnfit,
  dataFolderAt,
  layOut,
  readMark,
  refuseForeign,
} from '../storage/data-folder.js'
import type { EngineAddresses } from '../storage/open-storage.js'
import type { Store } from '../storage/store.js'
import { filesOfMark, restoreMark } from '../storage/unfinished.js'
import { filesAt, filesInFolder, folderPlace, type RestoredFiles } from './restored-files.js'
import { folderMark, type RestoredRows, type RestoreMark, rowsAt, rowsInFolder } from './restored-rows.js'

export type RestoreEngines = Pick<EngineAddresses, 'store' | 'blobs'>

/** The target is not empty, or has part of another restore. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

/** Files that may exist before a restore: secrets are created and backed up apart from the data. */
const allowedNames: ReadonlySet<string> = new Set(['secrets.json'])

export class RestoreTarget {
  private constructor(
    private readonly data: DataFolder,
    private readonly rows: RestoredRows,
    readonly files: RestoredFiles,
    private readonly marks: readonly RestoreMark[],
  ) {}

  /** Throws `DataFolderUnfit` or `RestoreRefused` for a target that is not empty, and the errors of the engines. */
  static async open(folder: string, { store, blobs }: RestoreEngines): Promise<RestoreTarget> {
    const data = dataFolderAt(folder)
    const usesFolder = store === undefined || blobs === undefined
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!usesFolder) {
      // As in a server, it has local files only.
      await refuseForeign(data)
      await layOut(data)
    }
    const ofFolder = usesFolder ? await refuseUsedFolder(data) : undefined
    const database = store === undefined ? undefined : await rowsAt(store)
    let files: RestoredFiles | undefined
    try {
      if (database && !(await database.reserve())) {
        throw new RestoreRefused('Another copy or restore writes into the database.')
      }
      if (await database?.isServed()) {
        throw new RestoreRefused('A server runs on the database. Stop every server on it.')
      }
      const ofDatabase = await database?.mark.read()
      files = blobs === undefined ? filesInFolder(data) : await filesAt(blobs, data)
      for (const mark of [ofFolder, ofDatabase]) refuseOtherMark(mark, files.place)
      const ofRows = database ? ofDatabase : ofFolder
      if (database && ofRows === undefined && !(await database.isEmpty())) {
        throw new RestoreRefused('The database already has records.')
      }
      if (blobs !== undefined && ofRows === undefined && !(await files.isEmpty())) {
        throw new RestoreRefused(`There are files in ${files.place}.`)
      }
    } catch (error) {
      await files?.close()
      await database?.close()
      throw error
    }
    const marks = [...(database ? [database.mark] : []), ...(usesFolder ? [folderMark(data)] : [])]
    return new RestoreTarget(data, database ?? rowsInFolder(data), files, marks)
  }

  /** Folder of restored files that can be read directly. */
  get blobFolder(): string | undefined {
    return this.files.place === folderPlace ? this.data.blobs : undefined
  }

  /** Marks the target, removes what an earlier restore left, and opens the store. */
  async begin(): Promise<Store> {
    for (const mark of this.marks) await mark.write(restoreMark(this.files.place))
    await this.empty()
    return this.rows.open()
  }

  /** Releases the target to servers. The mark of a database is the last, because it covers files elsewhere too. */
  async finish(): Promise<void> {
    // The rows of the backup may be of any format up to the newest.
    await this.rows.raiseFormat()
    // Before the target is free for servers: one with other rows may know some of the documents.
    await this.files.claim(await deploymentId(this.rows.place))
    await this.removeMarks()
    await layOut(this.data)
  }

  /** Removes what was restored. The marks are removed last, so that an incomplete target always has them. */
  async clear(): Promise<void> {
    await this.empty()
    await this.removeMarks()
  }

  async close(): Promise<void> {
    await this.files.close()
    await this.rows.close()
  }

  private async empty(): Promise<void> {
    await this.rows.clear()
    await this.files.clear()
  }

  private async removeMarks(): Promise<void> {
    for (const mark of [...this.marks].reverse()) await mark.remove()
  }
}

/** Returns the mark of an interrupted restore. Throws `DataFolderUnfit` for a folder with anything else. */
async function refuseUsedFolder(data: DataFolder): Promise<string | undefined> {
  const mark = await readMark(data)
  if (filesOfMark(mark) !== undefined) return mark
  const found = (await readdir(data.root)).filter((name) => !allowedNames.has(name))
  if (found.length === 0) return undefined
  throw new DataFolderUnfit(`${data.root} is not empty (${found.slice(0, 5).join(', ')}). Restore into a new folder.`)
}

function refuseOtherMark(mark: string | undefined, place: string): void {
  if (mark === undefined || filesOfMark(mark) === place) return
  const files = filesOfMark(mark)
  if (files === undefined) throw new RestoreRefused('The database has part of a copy.')
  throw new RestoreRefused(
    `The target has part of a restore whose files are in ${files}, not in ${place}. Repeat it as it was, or name another target.`,
  )
}
