// Port of the blob store: large immutable bytes. Every blob belongs to one document, so that deleting the document removes a
// prefix, without reference counts.

/** Name of a blob. All parts are internal names of letters, digits, `-`, `_` and `.`, never chosen by clients. */
export interface BlobName {
  readonly tenant: string
  readonly document: string
  /** `version-<sha256>.pdf`, `working-<sha256>.pdf`, `thumbnail.webp`. */
  readonly name: string
}

export interface BlobFacts {
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

export interface BlobChecks {
  /** Writing stops and fails at the first byte above. */
  readonly sizeBytesMax: number
  /** Expected size and hash; if given, the blob appears only if they match. */
  readonly sizeBytes?: number
  readonly sha256?: string
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface Blobs {
  /** Streams in with constant memory; durable when it resolves; visible only whole. Throws `BlobMismatch` or `BlobTooLarge`. */
  write(name: BlobName, bytes: AsyncIterable<Uint8Array>, checks: BlobChecks): Promise<BlobFacts>
  /** Undefined = no such blob. */
  size(name: BlobName): Promise<number | undefined>
  /** Throws `BlobMissing`, and a RangeError for bytes the blob does not have. */
  read(name: BlobName, range?: ByteRange): AsyncIterable<Uint8Array>
  /** A path that a worker thread can open, kept until `release`. Throws `BlobMissing`. */
  openLocal(name: BlobName): Promise<LocalCopy>
  /** Takes over a file that a worker wrote beside the blobs (`staging`), by rename; durable when it resolves. */
  adopt(name: BlobName, path: string): Promise<void>
  /** A folder on the same file system where workers write what `adopt` takes. Emptied at start. */
  readonly staging: string
  /** No error when it is not there. Waits for the local copies of it that are open. */
  remove(name: BlobName): Promise<void>
  /** Everything of a document, or of a tenant when `document` is left out. */
  removeAll(owner: { readonly tenant: string; readonly document?: string }): Promise<void>
  /** Every blob there is, in no order. */
  list(): AsyncIterable<BlobName & { readonly sizeBytes: number }>
  /** Bytes of clients go straight to the storage, where it can do that; the folder cannot. */
  presign?(name: BlobName, checks: BlobChecks & { readonly ttlSeconds: number }): Promise<PresignedUpload>
  /** Rejects when a blob could not be written now; a real write, not a guess. */
  probe(): Promise<void>
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
