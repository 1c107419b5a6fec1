// Writes the section of a signature, with `/ByteRange` filled in and `/Contents` empty: the edits of the layer and the
// signature. Also computes the digest to sign. The bytes are final except for the CMS.
import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import type { SigningDigest } from '../contract/signatures/preparation.js'
import { entriesOffset, sectionWithEntries } from '../file/section/layer-section.js'
import { writePieces } from '../file/section/section-pieces.js'
import type { OpenedFrom, StoredImage } from '../messages/task.js'
import { type ByteRange, byteRangeOf, emptyEntries, holeOffset, paddedRange, rangeOffset } from './byte-range.js'
import { chunksOf, writeAt } from './file-parts.js'

export interface SectionRequest {
  readonly source: OpenedFrom
  /** Changed objects of the layer, and those of the signature. */
  readonly images: readonly StoredImage[]
  /** Number of the signature dictionary, which has neither `/ByteRange` nor `/Contents`. */
  readonly signature: number
  readonly contentsSize: number
  readonly algorithm: SigningDigest
  /** Path in the staging folder where the section is written; must not exist. */
  readonly path: string
}

export interface SignedSection {
  readonly sizeBytes: number
  /** SHA-256 of the section as written, in lower-case hex. */
  readonly sha256: string
  readonly byteRange: ByteRange
  /** Digest of the signed bytes, in base64. */
  readonly digest: string
  /** First object number that the file does not use. */
  readonly nextObject: number
}

/** Writes the section. Removes the file at the path on failure. */
export function writeSignedSection(request: SectionRequest): SignedSection {
  const { source, images, signature, contentsSize, algorithm, path } = request
  const baseBytes = statSync(source.path).size
  const entries = emptyEntries(contentsSize)
  const { pieces, sizeBytes, placed, nextObject } = sectionWithEntries(source, images, { number: signature, entries })
  const object = placed.find(({ number }) => number === signature)
  if (object === undefined) throw new Error('The section lacks the signature')
  const entriesAt = object.offset + entriesOffset(object)
  const byteRange = byteRangeOf(entriesAt + holeOffset, contentsSize, baseBytes + sizeBytes)
  try {
    writePieces(path, pieces)
    writeAt(path, entriesAt + rangeOffset - baseBytes, paddedRange(byteRange))
    const { digest, sha256 } = digestsOf({ basePath: source.path, path, byteRange, baseBytes, algorithm })
    return { sizeBytes, sha256, byteRange, digest, nextObject }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

interface SignedFiles {
  readonly basePath: string
  readonly path: string
  readonly baseBytes: number
  readonly byteRange: ByteRange
  readonly algorithm: SigningDigest
}

/** Reads both files once. */
function digestsOf({ basePath, path, baseBytes, byteRange, algorithm }: SignedFiles) {
  const signed = createHash(algorithm)
  const section = createHash('sha256')
  for (const chunk of chunksOf(basePath)) signed.update(chunk)
  const [, holeAt, behind] = byteRange.map((offset) => offset - baseBytes)
  let at = 0
  for (const chunk of chunksOf(path)) {
    section.update(chunk)
    signed.update(chunk.subarray(0, Math.max(0, (holeAt ?? 0) - at)))
    signed.update(chunk.subarray(Math.max(0, (behind ?? 0) - at)))
    at += chunk.length
  }
  return { digest: signed.digest('base64'), sha256: section.digest('hex') }
}
