// Blobs on S3-compatible storage, for one or more processes. See `keys.ts` for the objects of a blob.
//
// A write first goes to the staging folder, where size and hash are checked: the hash is known only at the end, and an
// object must not appear before. The file then becomes the local copy. A blob found in the storage is remembered,
// because objects never change; a remembered object that is missing is looked for again.
import { join, sep } from 'node:path'
import { type Random, systemRandom } from '../../../core/ports/random.js'
import { limits } from '../../limits.js'
import type { BlobOwner } from '../blob-paths.js'
import {
  type ArrivedUpload,
  type BlobChecks,
  type BlobFacts,
  BlobMissing,
  type BlobName,
  type Blobs,
  type ByteRange,
  type ListedBlob,
  type LocalCopy,
  type PresignedUpload,
  type PresignRequest,
  type RecordedDeployments,
} from '../blobs.js'
import { type Files, nodeFiles } from '../files.js'
import type { Measurement } from '../measurement.js'
import { type ReceiveOptions, receiveFile } from '../receive-file.js'
import { parseAddress, type S3Address } from './address.js'
import { ObjectMissing, S3Connection } from './connection.js'
import { blobOf, blobsPrefix, namePrefix, newKey, ownerPrefix, presignedName, probesPrefix } from './keys.js'
import { arrivedUploads, listedBlob, missingCopies } from './listed-objects.js'
import { LocalCopies, type NamedObject } from './local-copies.js'
import { Objects, type StoredObject } from './objects.js'
import { Places } from './places.js'
import { presignPut } from './presign-put.js'
import { readObject } from './read-object.js'
import { recordedDeployments } from './recorded-deployments.js'

export interface S3BlobsOptions extends Omit<ReceiveOptions, 'files' | 'isSynced'> {
  readonly address: string | S3Address
  /** Staging folder of this process; emptied when it is opened. */
  readonly staging: string
  /** Folder of local copies of this process, on the same file system; emptied when it is opened. */
  readonly copies: string
  /** Maximum total size of the local copies. */
  readonly copiesBytesMax: number
  readonly files?: Files
  readonly random?: Random
}

export class S3Blobs implements Blobs {
  readonly isShared = true
  readonly staging: string
  readonly deployments: RecordedDeployments
  readonly measurements: readonly Measurement[]
  private readonly connection: S3Connection
  private readonly objects: Objects
  private readonly files: Files
  private readonly random: Random
  private readonly copies: LocalCopies
  private readonly places: Places
  private readonly checking: NodeJS.Timeout

  private constructor(private readonly options: S3BlobsOptions) {
    const { address, staging, copies: folder, copiesBytesMax: bytesMax, freeSpace } = options
    this.staging = staging
    this.files = options.files ?? nodeFiles
    this.random = options.random ?? systemRandom
    this.connection = new S3Connection(typeof address === 'string' ? parseAddress(address) : address)
    this.objects = new Objects(this.connection)
    this.deployments = recordedDeployments(this.objects)
    this.places = new Places(this.objects)
    this.copies = new LocalCopies({ folder, bytesMax, files: this.files, random: this.random, freeSpace })
    this.measurements = [...this.connection.measurements, ...this.copies.measurements]
    this.checking = setInterval(() => void this.checkCopies().catch(() => {}), limits.localCopyCheckIntervalMs)
    this.checking.unref()
  }

  /** Opens the blobs. Throws `S3AddressUnfit`, and `BlobsUnavailable` if a blob cannot be written. */
  static async open(options: S3BlobsOptions): Promise<S3Blobs> {
    const blobs = new S3Blobs(options)
    try {
      for (const folder of [options.staging, options.copies]) {
        await blobs.files.remove(folder)
        await blobs.files.createFolder(folder)
      }
      await blobs.writeProbe()
      for await (const _ of blobs.objects.list(probesPrefix)) break
      return blobs
    } catch (error) {
      await blobs.close()
      throw error
    }
  }

  async write(name: BlobName, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts> {
    const key = newKey(name, this.random)
    const path = join(this.staging, `${this.random.uuid()}.part`)
    const { files, copies: freeSpace } = this
    try {
      const facts = await receiveFile(path, bytes, checks, { ...this.options, files, freeSpace, isSynced: false })
      await this.store({ name, key, sizeBytes: facts.sizeBytes, writtenAtMs: Date.now() }, path)
      return facts
    } finally {
      await files.remove(path)
    }
  }

  async adopt(name: BlobName, path: string): Promise<void> {
    if (!path.startsWith(this.staging + sep)) throw new TypeError('Only files of the staging can become blobs')
    const sizeBytes = await this.files.size(path)
    if (sizeBytes === undefined) throw new Error('The file to adopt does not exist')
    await this.store({ name, key: newKey(name, this.random), sizeBytes, writtenAtMs: Date.now() }, path)
  }

  async demandRoom(bytes: number): Promise<void> {
    await this.copies.demand(limits.blobReserveBytes + bytes)
  }

  async size(name: BlobName): Promise<number | undefined> {
    return (await this.places.find(name, false))?.sizeBytes
  }

  async *read(name: BlobName, range?: ByteRange): AsyncIterable<Uint8Array> {
    const object = await this.places.found(name)
    const { sizeBytes } = object
    const { first, last } = range ?? { first: 0, last: sizeBytes - 1 }
    if (range && !(first >= 0 && first <= last && last < sizeBytes)) {
      throw new RangeError(`Bytes ${first} to ${last} are not in a blob of ${sizeBytes}`)
    }
    if (sizeBytes === 0) return
    if (this.copies.has(object) || sizeBytes <= limits.blobCopiedToReadBytesMax) {
      yield* this.readCopy(name, { first, last })
    } else {
      yield* this.readDirectly(object, { first, last })
    }
  }

  async openLocal(name: BlobName): Promise<LocalCopy> {
    try {
      return await this.openObject(await this.places.found(name))
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
      return this.openObject(await this.places.found(name, true)).catch(missing(name))
    }
  }

  async remove(name: BlobName): Promise<void> {
    const keys: string[] = []
    for await (const { key } of this.objects.list(namePrefix(name))) keys.push(key)
    await this.removeKeys(keys)
  }

  /** Removes in the order of the storage; blobs of a partly removed owner may remain visible until the end. */
  async removeAll(owner: BlobOwner): Promise<void> {
    const prefix = ownerPrefix(owner)
    // If the storage cannot list them, its lifecycle rule removes them.
    await this.objects.abortUploads(prefix, Number.POSITIVE_INFINITY).catch(() => {})
    const keys: string[] = []
    for await (const { key } of this.objects.list(prefix)) {
      if (keys.push(key) >= 1000) await this.removeKeys(keys.splice(0))
    }
    await this.removeKeys(keys)
    const { tenant, document } = owner
    const isOwned = (blob: BlobName) => blob.tenant === tenant && (document === undefined || blob.document === document)
    this.places.forget(isOwned)
    await this.copies.purge(({ name }) => isOwned(name))
  }

  async *list(): AsyncIterable<ListedBlob> {
    const remove = (keys: readonly string[]) => this.removeKeys(keys)
    let group: NamedObject[] = []
    for await (const object of this.objects.list(blobsPrefix)) {
      const name = blobOf(object.key)
      if (name === undefined) continue
      if (group[0] && namePrefix(group[0].name) !== namePrefix(name)) {
        yield listedBlob(group, remove)
        group = []
      }
      group.push({ ...object, name })
    }
    if (group.length > 0) yield listedBlob(group, remove)
  }

  presign(
    { tenant, document }: Pick<BlobName, 'tenant' | 'document'>,
    request: PresignRequest,
  ): Promise<PresignedUpload> {
    const key = newKey({ tenant, document, name: presignedName }, this.random)
    return presignPut(this.connection.publicClient, this.objects.named(key), request)
  }

  arrived(owner: Pick<BlobName, 'tenant' | 'document'>): AsyncIterable<ArrivedUpload> {
    return arrivedUploads(this.objects, owner, (object) => this.readWhole(object))
  }

  async tidy(unfinishedMs: number = limits.unfinishedUploadMs): Promise<void> {
    const before = Date.now() - unfinishedMs
    await this.objects.abortUploads(blobsPrefix, before)
    for await (const { key, writtenAtMs } of this.objects.list(probesPrefix)) {
      if (writtenAtMs < before) await this.objects.remove(key)
    }
  }

  async probe(): Promise<void> {
    await this.copies.demand(limits.blobReserveBytes)
    await this.writeProbe()
  }

  async close(): Promise<void> {
    clearInterval(this.checking)
    this.connection.close()
  }

  /** Removes local copies whose objects are gone. */
  async checkCopies(uncheckedMs: number = limits.localCopyUncheckedMs): Promise<void> {
    const gone = await missingCopies(this.objects, this.copies, uncheckedMs)
    this.places.forgetKeys(gone)
    await this.copies.purge(({ key }) => gone.has(key))
  }

  private async writeProbe(): Promise<void> {
    const key = `${probesPrefix}${this.random.uuid()}`
    await this.objects.put(key, Buffer.from('probe'))
    await this.objects.remove(key)
  }

  /** Uploads a file and makes it the local copy. */
  private async store(object: NamedObject, path: string): Promise<void> {
    await this.objects.putFile(object.key, path, object.sizeBytes)
    this.places.set(object)
    await this.copies.adopt(object, path)
  }

  private async openObject(object: NamedObject): Promise<LocalCopy> {
    try {
      return await this.copies.open(object, (path) => this.fetch(object, path))
    } catch (error) {
      if (error instanceof ObjectMissing) this.places.forgetKeys(new Set([object.key]))
      throw error
    }
  }

  private async fetch(object: NamedObject, path: string): Promise<void> {
    await this.demandRoom(object.sizeBytes)
    const sink = await this.files.create(path)
    try {
      for await (const chunk of this.readWhole(object)) await sink.write(chunk)
    } finally {
      await sink.close()
    }
  }

  private readWhole({ key, sizeBytes }: StoredObject): AsyncIterable<Uint8Array> {
    return readObject(this.connection, this.objects.named(key), { first: 0, last: sizeBytes - 1 })
  }

  private async *readCopy(name: BlobName, range: ByteRange): AsyncIterable<Uint8Array> {
    const { path, release } = await this.openLocal(name)
    try {
      let left = range.last - range.first + 1
      for await (const chunk of this.files.read(path, range)) {
        left -= chunk.length
        yield chunk
      }
      if (left > 0) throw new Error(`The local copy of ${name.name} ended ${left} bytes early`)
    } finally {
      release()
    }
  }

  /** Another object may be read instead of a missing one only before the first byte. */
  private async *readDirectly({ name, key, sizeBytes }: NamedObject, range: ByteRange): AsyncIterable<Uint8Array> {
    let isBegun = false
    try {
      for await (const chunk of readObject(this.connection, this.objects.named(key), range)) {
        isBegun = true
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
      const other = await this.places.found(name, true)
      if (isBegun || other.key === key || other.sizeBytes !== sizeBytes) throw new BlobMissing(name)
      yield* readObject(this.connection, this.objects.named(other.key), range)
    }
  }

  private async removeKeys(keys: readonly string[]): Promise<void> {
    await this.objects.removeMany(keys)
    const removed = new Set(keys)
    this.places.forgetKeys(removed)
    await this.copies.purge(({ key }) => removed.has(key))
  }
}

const missing =
  (name: BlobName) =>
  (error: unknown): never => {
    throw error instanceof ObjectMissing ? new BlobMissing(name) : error
  }
