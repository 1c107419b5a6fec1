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
  BlobMismatch,
  BlobMissing,
  type BlobName,
  type Blobs,
  BlobTooLarge,
  type ByteRange,
  type LocalCopy,
} from './blobs.js'
import { type Files, nodeFiles, type Sink } from './files.js'
import type { FreeSpace } from './free-space.js'
import { PassingHash } from './passing-hash.js'
import { Pins } from './pins.js'

export interface FolderBlobsOptions {
  /** Folder of the blobs. */
  readonly folder: string
  /** Staging folder on the same file system; emptied when it is opened. */
  readonly staging: string
  /**
   * Returns the SHA-256 of a file in lower-case hex, computed elsewhere; without it bytes of any length are hashed in
   * this thread.
   */
  readonly digest?: (path: string) => Promise<string>
  /** Maximum size up to which blobs are hashed in this thread although there is a `digest`. */
  readonly hashedHereBytesMax?: number
  readonly files?: Files
  readonly freeSpace?: FreeSpace
  readonly random?: Random
}

/** Number of bytes after which free space is checked again. */
const spaceStepBytes = 16 * 1024 * 1024

export class FolderBlobs implements Blobs {
  readonly staging: string
  private readonly files: Files
  private readonly random: Random
  private readonly pins = new Pins()
  /** Folders being created. Writes that need one wait until it is durable. */
  private readonly foldersInFlight = new Map<string, Promise<void>>()

  private constructor(private readonly options: FolderBlobsOptions) {
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
      const facts = await this.receive(unfinished, bytes, checks)
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
    await this.pins.released((pinned) => pinned === path, limits.pinnedBlobWaitMs)
    if ((await this.files.size(path)) === undefined) return
    await this.files.remove(path)
    await unlessGone(this.files.syncFolder(dirname(path)))
  }

  /** Removes the folder by one rename, so that a partly removed document is never visible. */
  async removeAll(owner: BlobOwner): Promise<void> {
    const folder = ownerFolder(this.options.folder, owner)
    await this.pins.released((pinned) => pinned.startsWith(folder + sep), limits.pinnedBlobWaitMs)
    const removed = this.unfinishedPath()
    await unlessGone(this.files.rename(folder, removed))
    await unlessGone(this.files.syncFolder(dirname(folder)))
    await this.files.remove(removed)
  }

  list(): AsyncIterable<ListedBlob> {
    return listBlobs(this.files, this.options.folder)
  }

  async probe(): Promise<void> {
    await this.options.freeSpace?.demand(limits.blobReserveBytes)
    const path = this.unfinishedPath()
    try {
      await this.receive(path, chunkOf('probe'), { sizeBytesMax: limits.valueBytesMax })
    } finally {
      await this.files.remove(path)
    }
  }

  private unfinishedPath(): string {
    return join(this.staging, `${this.random.uuid()}.part`)
  }

  private async receive(path: string, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts> {
    const { digest, hashedHereBytesMax = limits.hashedHereBytesMax } = this.options
    const hash = new PassingHash(digest ? hashedHereBytesMax : Number.POSITIVE_INFINITY)
    const sink = await this.files.create(path)
    let sizeBytes: number
    try {
      sizeBytes = await this.copy(bytes, { sink, hash, sizeBytesMax: checks.sizeBytesMax })
      // The length is checked before the bytes are synced, which takes long.
      refuseMismatch('sizeBytes', checks.sizeBytes, sizeBytes)
      await sink.sync()
    } finally {
      await sink.close()
    }
    const sha256 = hash.digest() ?? (await digest?.(path)) ?? ''
    refuseMismatch('sha256', checks.sha256, sha256)
    return { sizeBytes, sha256 }
  }

  private async copy(
    bytes: AsyncIterable<Uint8Array>,
    to: { readonly sink: Sink; readonly hash: PassingHash; readonly sizeBytesMax: number },
  ): Promise<number> {
    let sizeBytes = 0
    let spaceAskedAt = 0
    await this.options.freeSpace?.demand(limits.blobReserveBytes)
    for await (const chunk of bytes) {
      sizeBytes += chunk.length
      if (sizeBytes > to.sizeBytesMax) throw new BlobTooLarge(to.sizeBytesMax)
      if (sizeBytes - spaceAskedAt >= spaceStepBytes) {
        await this.options.freeSpace?.demand(limits.blobReserveBytes)
        spaceAskedAt = sizeBytes
      }
      to.hash.update(chunk)
      await to.sink.write(chunk)
    }
    return sizeBytes
  }

  private async moveIn(unfinished: string, path: string): Promise<void> {
    const ofDocument = dirname(path)
    await this.ensureFolder(dirname(ofDocument))
    await this.ensureFolder(ofDocument)
    await this.files.rename(unfinished, path)
    await this.files.syncFolder(ofDocument)
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

type ListedBlob = BlobName & { readonly sizeBytes: number }

/** Lists the blobs of a folder, also without a running server. */
export async function* listBlobs(files: Files, folder: string): AsyncIterable<ListedBlob> {
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

function refuseMismatch<Fact extends string | number>(
  subject: 'sizeBytes' | 'sha256',
  expected: Fact | undefined,
  actual: Fact,
): void {
  if (expected !== undefined && expected !== actual) throw new BlobMismatch(subject, expected, actual)
}

async function* chunkOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
