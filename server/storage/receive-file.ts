// Receives a stream into a new file with constant memory, with limit, size and hash checked.
import { limits } from '../limits.js'
import { type BlobChecks, type BlobFacts, BlobMismatch, BlobTooLarge } from './blobs.js'
import type { Files, Sink } from './files.js'
import type { FreeSpace } from './free-space.js'
import { PassingHash } from './passing-hash.js'

export interface ReceiveOptions {
  readonly files: Files
  readonly freeSpace?: FreeSpace
  /**
   * Returns the SHA-256 of a file in lower-case hex, computed elsewhere; without it bytes of any length are hashed in
   * this thread.
   */
  readonly digest?: (path: string) => Promise<string>
  /** Maximum size up to which blobs are hashed in this thread although there is a `digest`. */
  readonly hashedHereBytesMax?: number
  /** False if the file need not survive a crash. Default true. */
  readonly isSynced?: boolean
}

/** Number of bytes after which free space is checked again. */
const spaceStepBytes = 16 * 1024 * 1024

/** Throws `BlobMismatch`, `BlobTooLarge` or `DiskFull`; the file then remains, for the caller to remove. */
export async function receiveFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  checks: BlobChecks,
  options: ReceiveOptions,
): Promise<BlobFacts> {
  const { files, digest, hashedHereBytesMax = limits.hashedHereBytesMax, isSynced = true, freeSpace } = options
  const hash = new PassingHash(digest ? hashedHereBytesMax : Number.POSITIVE_INFINITY)
  const sink = await files.create(path)
  let sizeBytes: number
  try {
    sizeBytes = await copy(bytes, { sink, hash, sizeBytesMax: checks.sizeBytesMax, freeSpace })
    // The length is checked before the bytes are synced, which takes long.
    refuseMismatch('sizeBytes', checks.sizeBytes, sizeBytes)
    if (isSynced) await sink.sync()
  } finally {
    await sink.close()
  }
  const sha256 = hash.digest() ?? (await digest?.(path)) ?? ''
  refuseMismatch('sha256', checks.sha256, sha256)
  return { sizeBytes, sha256 }
}

interface Copy {
  readonly sink: Sink
  readonly hash: PassingHash
  readonly sizeBytesMax: number
  readonly freeSpace: FreeSpace | undefined
}

async function copy(bytes: AsyncIterable<Uint8Array>, { sink, hash, sizeBytesMax, freeSpace }: Copy): Promise<number> {
  let sizeBytes = 0
  let spaceAskedAt = 0
  await freeSpace?.demand(limits.blobReserveBytes)
  for await (const chunk of bytes) {
    sizeBytes += chunk.length
    if (sizeBytes > sizeBytesMax) throw new BlobTooLarge(sizeBytesMax)
    if (sizeBytes - spaceAskedAt >= spaceStepBytes) {
      await freeSpace?.demand(limits.blobReserveBytes)
      spaceAskedAt = sizeBytes
    }
    hash.update(chunk)
    await sink.write(chunk)
  }
  return sizeBytes
}

function refuseMismatch<Fact extends string | number>(
  subject: 'sizeBytes' | 'sha256',
  expected: Fact | undefined,
  actual: Fact,
): void {
  if (expected !== undefined && expected !== actual) throw new BlobMismatch(subject, expected, actual)
}
