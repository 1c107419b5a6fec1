// Port of the blob store: large immutable bytes. Every blob belongs to one document, so that deleting the document
// removes a prefix, without reference counts.

import type { Measurement } from './measurement.js'

/** Name of a blob. All parts are internal names of letters, digits, `-`, `_` and `.`, never chosen by clients. */
export interface BlobName {
  readonly tenant: string
  readonly document: string
  /** File name: `upload.pdf`, `version-<uuid>.pdf`, `thumbnail.webp`. */
  readonly name: string
}

export interface BlobFacts {
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

export interface BlobChecks {
  /** Limit of the size; writing fails at the first byte above it. */
  readonly sizeBytesMax: number
  /** Expected size and hash; if given, the blob appears only if they match. */
  readonly sizeBytes?: number
  readonly sha256?: string
}

/** Range of bytes, both ends included, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface Blobs {
  /**
   * True if several processes may write. One that lost its lease may still commit, so that blobs are removed with more
   * care: see `server/expiry/orphans.ts`.
   */
  readonly isShared?: boolean
  /**
   * Writes a stream with constant memory; durable when it resolves; the blob is visible only as a whole. Throws
   * `BlobMismatch` or `BlobTooLarge`.
   */
  write(name: BlobName, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts>
  /** Returns the size in bytes; undefined if there is no such blob. */
  size(name: BlobName): Promise<number | undefined>
  /** Reads a blob or a range of it. Throws `BlobMissing`, and a RangeError for a range outside the blob. */
  read(name: BlobName, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Returns a path that a worker thread can open, valid until `release`. Throws `BlobMissing`. */
  openLocal(name: BlobName): Promise<LocalCopy>
  /** Moves a file that a worker wrote into `staging` to its place, by rename; durable when it resolves. */
  adopt(name: BlobName, path: string): Promise<void>
  /**
   * Rejects with `DiskFull` unless the disk has room for so many bytes. Called before a worker writes a file for
   * `adopt`.
   */
  demandRoom(bytes: number): Promise<void>
  /** Folder on the same file system, where workers write files for `adopt`. Emptied at start. */
  readonly staging: string
  /** Removes a blob, if it exists. Waits until local copies of it are released. */
  remove(name: BlobName): Promise<void>
  /** Removes all blobs of a document, or of a tenant if `document` is undefined. */
  removeAll(owner: { readonly tenant: string; readonly document?: string }): Promise<void>
  /** Lists all blobs, in no particular order. */
  list(): AsyncIterable<ListedBlob>
  /**
   * Returns a URL to which clients can upload directly, if the storage supports it; the folder does not. What arrives
   * is not a blob: it is untrusted, may change at any time, and is read with `arrived`.
   */
  presign?(owner: Owner, upload: PresignRequest): Promise<PresignedUpload>
  /** Lists what clients uploaded directly for the document, newest first. */
  arrived?(owner: Owner): AsyncIterable<ArrivedUpload>
  /** Removes what interrupted writes left behind and what is not a blob; called now and then. */
  tidy?(): Promise<void>
  /** Deployments whose files are in the storage; absent for a folder. */
  readonly deployments?: RecordedDeployments
  readonly measurements?: readonly Measurement[]
  /** Rejects if a blob cannot be written at the moment, which is tested by a real write. */
  probe(): Promise<void>
  /** Ends background work. */
  close?(): Promise<void>
}

/** Deployments that are recorded beside their files. */
export interface RecordedDeployments {
  /** Returns the deployments in the order in which they were added, by the clock of the storage. */
  list(): Promise<readonly RecordedDeployment[]>
  /** `id`: a UUID. */
  add(id: string): Promise<void>
  remove(id: string): Promise<void>
}

export interface RecordedDeployment {
  readonly id: string
  readonly recordedAtMs: number
}

/** Document that blobs belong to, by internal ids. */
type Owner = Pick<BlobName, 'tenant' | 'document'>

export interface ListedBlob extends BlobName {
  readonly sizeBytes: number
  /** Time at which it was written, milliseconds since 1970; set if several processes may write. */
  readonly writtenAtMs?: number
  /** Removes what was listed, and nothing that was written to the name later. */
  remove(): Promise<void>
  /** Removes older equal copies, if several were written to the name. */
  removeCopies?(olderThanMs: number): Promise<void>
}

export interface PresignRequest {
  readonly sizeBytes: number
  readonly ttlSeconds: number
}

export interface ArrivedUpload {
  readonly sizeBytes: number
  read(): AsyncIterable<Uint8Array>
  remove(): Promise<void>
}

export interface LocalCopy {
  readonly path: string
  release(): void
}

export interface PresignedUpload {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly expiresAtMs: number
}

export class BlobMissing extends Error {
  constructor({ tenant, document, name }: BlobName) {
    super(`There is no blob ${tenant}/${document}/${name}`)
    this.name = 'BlobMissing'
  }
}

export class BlobMismatch extends Error {
  constructor(
    readonly subject: 'sizeBytes' | 'sha256',
    readonly expected: string | number,
    readonly actual: string | number,
  ) {
    super(`The bytes have ${subject} ${actual}, not ${expected}`)
    this.name = 'BlobMismatch'
  }
}

export class BlobTooLarge extends Error {
  constructor(readonly sizeBytesMax: number) {
    super(`More than ${sizeBytesMax} bytes`)
    this.name = 'BlobTooLarge'
  }
}

/** The storage cannot be used at the moment; a later attempt may succeed. */
export class BlobsUnavailable extends Error {
  constructor(
    /** `denied`: the credentials are missing, wrong or lack a right. */
    readonly reason: 'failed' | 'denied' | 'no-bucket',
    cause: unknown,
  ) {
    super('The storage of files cannot be used at the moment', { cause })
    this.name = 'BlobsUnavailable'
  }
}
