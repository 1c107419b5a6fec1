// Port of the blob store: large immutable bytes. Every blob belongs to one document, so that deleting the document
// removes a prefix, without reference counts.

/** Name of a blob. All parts are internal names of letters, digits, `-`, `_` and `.`, never chosen by clients. */
export interface BlobName {
  readonly tenant: string
  readonly document: string
  /** File name: `version-<sha256>.pdf`, `working-<sha256>.pdf`, `thumbnail.webp`. */
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
   * Writes a stream with constant memory; durable when it resolves; the blob is visible only as a whole. Throws
   * `BlobMismatch` or `BlobTooLarge`.
   */
  write(name: BlobName, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts>
  /**
   * Returns the size in bytes; undefined if there is no such blob. `isFresh`: asks the storage although this process
   * remembers an answer, for a commit that will name a blob that it did not write itself.
   */
  size(name: BlobName, options?: { readonly isFresh?: boolean }): Promise<number | undefined>
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
  /**
   * Returns a function that removes what is stored under the name now, and nothing that is written to it from now on
   * by another process.
   */
  removal(name: BlobName): Promise<() => Promise<void>>
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
  /**
   * Removes local copies of a document's or a tenant's blobs, or of one blob, after another process removed them. They
   * also disappear without a call, within `limits.localCopyUncheckedMs`.
   */
  purge?(removed: Partial<BlobName> & Pick<BlobName, 'tenant'>): Promise<void>
  /** Rejects if a blob cannot be written at the moment, which is tested by a real write. */
  probe(): Promise<void>
  /** Ends background work. */
  close?(): Promise<void>
}

/** Document that blobs belong to, by internal ids. */
type Owner = Pick<BlobName, 'tenant' | 'document'>

export interface ListedBlob extends BlobName {
  readonly sizeBytes: number
  /**
   * Time at which it was written, milliseconds since 1970. Set if several processes write: one that lost its lease may
   * still name the blob in a commit, see `server/expiry/orphans.ts`.
   */
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
