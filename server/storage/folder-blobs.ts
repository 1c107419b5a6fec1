// Blobs as files. A blob is written to the staging folder, verified, and renamed into place: a reader finds the whole
// blob or nothing, also after a crash.
import { dirname, join, sep } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { type Random, systemRandom } from '../../core/ports/random.js'
import { limits } from '../limits.js'
import { type BlobOwner, blobPath, isBlobNamePart, ownerFolder } from './blob-paths.js'
import {
  type BlobChecks,
  type BlobFacts,
  BlobMissing,
  type BlobName,
  type Blobs,
  type ByteRange,
  type ListedBlob,
  type LocalCopy,
} from './blobs.js'
import { type Files, nodeFiles } from './files.js'
import { Pins } from './pins.js'
import { type ReceiveOptions, receiveFile } from './receive-file.js'

export interface FolderBlobsOptions extends Omit<ReceiveOptions, 'files' | 'isSynced'> {
  /** Resolves when no other process of this server has a local copy open at the path or below it. */
  readonly releasedElsewhere?: (path: string) => Promise<void>
  /** True if processes that share nothing else write into the folder. Default false. */
  readonly isShared?: boolean
  /** Folder of the blobs. */
  readonly folder: string
  /** Staging folder on the same file system; emptied when it is opened. */
  readonly staging: string
  readonly files?: Files
  readonly random?: Random
}

/** Deletions of a document and of its tenant may each remove the folder of a blob once. */
const moveAttemptsMax = 4

export class FolderBlobs implements Blobs {
  readonly isShared: boolean
  readonly staging: string
  private readonly files: Files
  private readonly random: Random
  private readonly pins = new Pins()
  /** Folders being created. Writes that need one wait until it is durable. */
  private readonly foldersInFlight = new Map<string, Promise<void>>()

  private constructor(private readonly options: FolderBlobsOptions) {
    this.isShared = options.isShared ?? false
    this.staging = options.staging
    this.files = options.files ?? nodeFiles
    this.random = options.random ?? systemRandom
  }

  /**
   * Opens the blobs. The folder must not be in use: files in the staging folder are leftovers of a crash and are
   * removed.
   */
  static async open(options: FolderBlobsOptions): Promise<FolderBlobs> {
    const blobs = new FolderBlobs(options)
    const { files } = blobs
    await files.remove(options.staging)
    for (const folder of [options.folder, options.staging]) await files.createFolder(folder)
    await files.syncFolder(dirname(options.folder))
    return blobs
  }

  async write(name: BlobName, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts> {
    const path = blobPath(this.options.folder, name)
    const unfinished = this.unfinishedPath()
    try {
      const facts = await receiveFile(unfinished, bytes, checks, { ...this.options, files: this.files })
      await this.moveIn(unfinished, path)
      return facts
    } finally {
      await this.files.remove(unfinished)
    }
  }

  size(name: BlobName): Promise<number | undefined> {
    return this.files.size(blobPath(this.options.folder, name))
  }

  async *read(name: BlobName, range?: ByteRange): AsyncIterable<Uint8Array> {
    const path = blobPath(this.options.folder, name)
    const size = await this.files.size(path)
    if (size === undefined) throw new BlobMissing(name)
    const { first, last } = range ?? { first: 0, last: size - 1 }
    if (range && !(first >= 0 && first <= last && last < size)) {
      throw new RangeError(`Bytes ${first} to ${last} are not in a blob of ${size}`)
    }
    if (size === 0) return
    let left = last - first + 1
    for await (const chunk of this.files.read(path, { first, last })) {
      left -= chunk.length
      yield chunk
    }
    if (left > 0) throw new Error(`Blob ${name.name} ended ${left} bytes early`)
  }

  async openLocal(name: BlobName): Promise<LocalCopy> {
    const path = blobPath(this.options.folder, name)
    const release = this.pins.pin(path)
    if ((await this.files.size(path)) !== undefined) return { path, release }
    release()
    throw new BlobMissing(name)
  }

  async demandRoom(bytes: number): Promise<void> {
    await this.options.freeSpace?.demand(limits.blobReserveBytes + bytes)
  }

  async adopt(name: BlobName, path: string): Promise<void> {
    if (!path.startsWith(this.staging + sep)) throw new TypeError('Only files of the staging can become blobs')
    await this.files.sync(path)
    await this.moveIn(path, blobPath(this.options.folder, name))
  }

  async remove(name: BlobName): Promise<void> {
    const path = blobPath(this.options.folder, name)
    await this.untilReleased(path)
    if ((await this.files.size(path)) === undefined) return
    await this.files.remove(path)
    await unlessGone(this.files.syncFolder(dirname(path)))
  }

  /** Removes the folder by one rename, so that a partly removed document is never visible. */
  async removeAll(owner: BlobOwner): Promise<void> {
    const folder = ownerFolder(this.options.folder, owner)
    await this.untilReleased(folder)
    const removed = this.unfinishedPath()
    await unlessGone(this.files.rename(folder, removed))
    await unlessGone(this.files.syncFolder(dirname(folder)))
    await this.files.remove(removed)
  }

  async *list(): AsyncIterable<ListedBlob> {
    for await (const blob of listBlobs(this.files, this.options.folder)) {
      yield { ...blob, remove: () => this.remove(blob) }
    }
  }

  async probe(): Promise<void> {
    await this.options.freeSpace?.demand(limits.blobReserveBytes)
    const path = this.unfinishedPath()
    try {
      await receiveFile(
        path,
        chunkOf('probe'),
        { sizeBytesMax: limits.valueBytesMax },
        { ...this.options, files: this.files },
      )
    } finally {
      await this.files.remove(path)
    }
  }

  /** Resolves when this process has no local copy open at the path or below it, or after a time limit. */
  released(path: string): Promise<void> {
    return this.pins.released((pinned) => pinned === path || pinned.startsWith(path + sep), limits.pinnedBlobWaitMs)
  }

  private async untilReleased(path: string): Promise<void> {
    await Promise.all([this.released(path), this.options.releasedElsewhere?.(path)])
  }

  private unfinishedPath(): string {
    return join(this.staging, `${this.random.uuid()}.part`)
  }

  /**
   * Moves a complete file to its place. A deletion may remove the folder meanwhile: then it is created again, and the caller,
   * who looks whether its document still exists, removes the late blob.
   */
  private async moveIn(unfinished: string, path: string): Promise<void> {
    const ofDocument = dirname(path)
    for (let attempt = 1; ; attempt++) {
      try {
        await this.ensureFolder(dirname(ofDocument))
        await this.ensureFolder(ofDocument)
        await this.files.rename(unfinished, path)
        break
      } catch (error) {
        if (attempt === moveAttemptsMax || !hasCode(error, 'ENOENT')) throw error
      }
    }
    await unlessGone(this.files.syncFolder(ofDocument))
  }

  /** Creates the folder, durable before anything in it, because the files of a lost folder are lost. */
  private async ensureFolder(path: string): Promise<void> {
    const inFlight = this.foldersInFlight.get(path)
    if (inFlight) return inFlight
    const creation = this.createFolder(path).finally(() => this.foldersInFlight.delete(path))
    this.foldersInFlight.set(path, creation)
    return creation
  }

  private async createFolder(path: string): Promise<void> {
    if (await this.files.createFolder(path)) await this.files.syncFolder(dirname(path))
  }
}

/** Lists the blobs of a folder, also without a running server. */
export async function* listBlobs(files: Files, folder: string): AsyncIterable<BlobName & Pick<BlobFacts, 'sizeBytes'>> {
  for await (const tenant of files.names(folder)) {
    for await (const document of files.names(join(folder, tenant))) {
      for await (const name of files.names(join(folder, tenant, document))) {
        if (![tenant, document, name].every(isBlobNamePart)) continue
        const sizeBytes = await files.size(join(folder, tenant, document, name))
        if (sizeBytes !== undefined) yield { tenant, document, name, sizeBytes }
      }
    }
  }
}

/** Removes a file or folder that another caller may remove at the same time. */
async function unlessGone(removal: Promise<void>): Promise<void> {
  try {
    await removal
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function* chunkOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
