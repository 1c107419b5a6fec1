// Reads the bytes that a signature covers, and the CMS in `/Contents`.

import type { StrictDocument } from '../../strict-reader/strict-document.js'
import { Asn1Error, encodingOf, firstElement } from '../asn1/element.js'
import { CmsFailure } from '../cms/cms-failure.js'
import { type DigestAlgorithm, digestHash } from '../cms/digest-algorithm.js'
import type { SignedBytes } from '../trust/verification-input.js'
import { readingLimits } from './reading-limits.js'
import type { ByteRange } from './signature-value.js'

/** Limits the number of bytes that are hashed for all signatures of a file, each of which may cover the whole file. */
export class DigestBudget {
  #left: number

  constructor(bytesMax: number) {
    this.#left = bytesMax
  }

  static ofFile({ sizeBytes }: StrictDocument): DigestBudget {
    return new DigestBudget(readingLimits.digestedBytesMin + readingLimits.digestedTimes * sizeBytes)
  }

  /** Throws `CmsFailure`. */
  take(count: number): void {
    this.#left -= count
    if (this.#left < 0)
      throw new CmsFailure('message-digest', 'The file has too many signatures to compute all digests', 'indeterminate')
  }
}

/** The functions of the result throw `NotStrict` if the range is not inside the file, and `CmsFailure`. */
export function signedBytes(
  document: StrictDocument,
  [first, length, second, rest]: ByteRange,
  budget: DigestBudget = DigestBudget.ofFile(document),
): SignedBytes {
  const digests = new Map<DigestAlgorithm, Uint8Array>()
  const pieces = function* (): Iterable<Uint8Array> {
    for (const [start, count] of [[first, length] as const, [second, rest] as const]) {
      budget.take(count)
      for (let at = 0; at < count; at += readingLimits.pieceBytes) {
        yield document.bytes(start + at, Math.min(readingLimits.pieceBytes, count - at))
      }
    }
  }
  return {
    pieces,
    digestOf: (algorithm) => {
      const known = digests.get(algorithm)
      if (known !== undefined) return known
      const hash = digestHash(algorithm)
      for (const piece of pieces()) hash.update(piece)
      const digest = hash.digest()
      digests.set(algorithm, digest)
      return digest
    },
  }
}

/** Returns the CMS without the padding after it; all bytes if they are not an element of ASN.1. */
export function withoutPadding(contents: Uint8Array): Uint8Array {
  try {
    return encodingOf(firstElement(contents))
  } catch (error) {
    if (error instanceof Asn1Error) return contents
    throw error
  }
}
