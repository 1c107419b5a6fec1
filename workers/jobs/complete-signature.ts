// Completes a prepared signature: checks the CMS, writes the signed file, and reads the signature from it.

import { JobRefusal } from '../contract/job-refusal.js'
import type { AlgorithmPolicy } from '../contract/signatures/algorithm-policy.js'
import type { SigningDigest } from '../contract/signatures/preparation.js'
import type { FileDigest } from '../file/digest.js'
import type { TrustRootsFolder } from '../messages/trust-roots.js'
import { checkCms } from '../signatures/cms/check-cms.js'
import { TrustRootsCache } from '../signatures/trust/trust-roots.js'
import type { ByteRange } from '../signing/byte-range.js'
import { readSignature, type SignedFacts } from '../signing/read-signature.js'
import { timestampSubFilter } from '../signing/signature-dictionary.js'
import { writeSignedFile } from '../signing/signed-file.js'
import type { Job, OnDocument } from './job.js'

/** Input of the job. The source is the base that was prepared, without edits. */
export interface CompleteSignatureInput extends OnDocument {
  /** CMS in DER. */
  readonly cms: Uint8Array
  readonly algorithm: SigningDigest
  /** Prepared digest in base64. */
  readonly digest: string
  readonly subFilter: string
  readonly byteRange: ByteRange
  readonly contentsSize: number
  /** Object number of the signature field. */
  readonly field: number
  /** Roots that signers are trusted by; undefined = none. */
  readonly trustRoots: TrustRootsFolder | undefined
  /** Time at which the signature is judged, in milliseconds. */
  readonly now: number
  readonly sectionPath: string
  /** Path in the staging folder; must not exist. */
  readonly path: string
}

export interface SignedFile extends FileDigest, SignedFacts {
  readonly path: string
}

export const completeSignature: Job<CompleteSignatureInput, SignedFile> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run(input) {
    const { source, cms, digest, algorithm, byteRange, contentsSize, field, sectionPath, path, trustRoots, now } = input
    const roots = new TrustRootsCache().rootsOf(trustRoots)
    refuseWrong(input, roots.policy)
    const written = writeSignedFile({ basePath: source.path, sectionPath, byteRange, contentsSize, cms, path })
    const signed = { field, cms, digest: Buffer.from(digest, 'base64'), algorithm, roots, now: new Date(now) }
    return { ...written, path, ...readSignature(path, { password: source.password }, signed) }
  },
}

/** Throws `SignatureRefused` unless the CMS is one over the prepared digest. */
function refuseWrong({ cms, digest, algorithm, subFilter }: CompleteSignatureInput, policy: AlgorithmPolicy): void {
  const kind = subFilter === timestampSubFilter ? 'timestamp' : 'signature'
  const prepared = { digest: Buffer.from(digest, 'base64'), digestAlgorithm: algorithm, subFilter, kind } as const
  const answer = checkCms({ cms, ...prepared, policy })
  if (answer.verdict === 'accepted') return
  throw new JobRefusal('SignatureRefused', `The CMS is refused: ${answer.reason}`, { check: answer.check })
}
