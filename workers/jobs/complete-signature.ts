// Completes a prepared signature: checks the CMS and writes the signed file.
import type { SigningDigest } from '../contract/signatures/preparation.js'
import type { FileDigest } from '../file/digest.js'
import type { ByteRange } from '../signing/byte-range.js'
import { writeSignedFile } from '../signing/signed-file.js'
import type { Job, OnDocument } from './job.js'

/** The source is the base that was prepared, without edits. */
export interface CompleteSignatureInput extends OnDocument {
  /** DER. */
  readonly cms: Uint8Array
  readonly algorithm: SigningDigest
  /** Base64. */
  readonly digest: string
  readonly subFilter: string
  readonly byteRange: ByteRange
  readonly contentsSize: number
  readonly sectionPath: string
  /** Path in the staging folder; must not exist. */
  readonly path: string
}

export const completeSignature: Job<CompleteSignatureInput, FileDigest> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run({ source, cms, byteRange, contentsSize, sectionPath, path }) {
    return writeSignedFile({ basePath: source.path, sectionPath, byteRange, contentsSize, cms, path })
  },
}
