// Prepares a signature of a layer: writes the section that is laid behind the base, with a hole for the CMS, and
// returns the digest to sign. The open copies of the layer are left alone, because nothing changes in it until the
// signature is complete.
import { readFileSync } from 'node:fs'
import { Change, repairWanted } from '../change/change.js'
import type { EffectList } from '../change/effects.js'
import { refuseUnwritable } from '../change/refuse-unwritable.js'
import type { Resource, Stamp } from '../change/unfinished-item.js'
import { removeUsageRights } from '../change/usage-rights.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { SignaturePrepare, SigningDigest } from '../contract/signatures/preparation.js'
import type { DocumentProtection } from '../contract/signatures/protection.js'
import { openFile } from '../document/open-file.js'
import { isTrap } from '../engine/trap.js'
import type { InlineAnnotation, OpenedFrom, StoredImage } from '../messages/task.js'
import type { ByteRange } from '../signing/byte-range.js'
import { type MadeSignature, makeSignature } from '../signing/make-signature.js'
import { isStrict } from '../signing/read-signature.js'
import { refuseForbiddenEdits } from '../signing/refuse-forbidden-edits.js'
import { writeSignedSection } from '../signing/signed-section.js'
import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { withStrict } from './strict-source.js'

/** Input of the job. The source includes the images of its overlay. */
export interface PrepareSignatureInput extends OnDocument {
  readonly request: SignaturePrepare
  /** Changes that the signatures of the layer's base permit; null = everything. */
  readonly protection: DocumentProtection | null
  /** True if a redaction has rewritten the base, so that earlier signatures are broken. */
  readonly isRewritten: boolean
  /** True if the layer has edits that are older than the version it is over. */
  readonly hasEarlierEdits: boolean
  readonly contentsSize: number
  readonly nextObject: number
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  /** Path in the staging folder where the section is written; must not exist. */
  readonly path: string
}

export interface PreparedSection {
  readonly sizeBytes: number
  readonly sha256: string
  /** Digest in base64. */
  readonly digest: string
  readonly algorithm: SigningDigest
  readonly subFilter: string
  readonly byteRange: ByteRange
  /** Object number of the field. */
  readonly field: number
  readonly effects: EffectList
  /** Annotations that the file stores inline and that became objects. */
  readonly promoted: readonly InlineAnnotation[]
  /** True if the signature ends the usage rights of the file. */
  readonly usageRightsRemoved: boolean
  /** First object number that the signed file does not use. */
  readonly nextObject: number
}

export const prepareSignature: Job<PrepareSignatureInput, PreparedSection> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run(input, { limits }) {
    const { source, request } = input
    const images = imagesOf(source)
    if (input.hasEarlierEdits && images.length > 0) refuseForbidden(input)
    const document = openFile(source)
    try {
      refuseUnwritable(request)
      const change = new Change(document, { ...input, itemsMax: limits.itemsMax })
      const made = makeSignature(change, request, input)
      const usageRightsRemoved = removeUsageRights(change)
      const own = change.images()
      if (document.pdf.wasRepaired()) throw repairWanted()
      const { promoted } = change
      const effects = change.effects.list()
      return {
        ...writeSection(input, [...withoutReplaced(images, own), ...own], made),
        effects,
        promoted,
        usageRightsRemoved,
      }
    } catch (error) {
      throw !isTrap(error) && document.pdf.wasRepaired() ? repairWanted() : error
    } finally {
      document.destroy()
    }
  },
}

/** Throws `ProtectedDocument` if the edits of the layer break a signature. */
function refuseForbidden({ source, protection }: PrepareSignatureInput): void {
  try {
    withStrict(source, (document) => refuseForbiddenEdits(document, protection))
  } catch (error) {
    throw error instanceof NotStrict ? repairWanted() : error
  }
}

function imagesOf({ overlay }: OpenedFrom): readonly StoredImage[] {
  const images = overlay === undefined ? [] : overlay.images
  if (images === undefined) throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
  return images
}

function withoutReplaced(images: readonly StoredImage[], by: readonly StoredImage[]): readonly StoredImage[] {
  const replaced = new Set(by.map(({ number }) => number))
  return images.filter(({ number }) => !replaced.has(number))
}

function writeSection(
  { source, contentsSize, path }: PrepareSignatureInput,
  images: readonly StoredImage[],
  { signature, field, subFilter, algorithm }: MadeSignature,
) {
  const section = writeSignedSection({ source, images, signature, contentsSize, algorithm, path })
  // Anything that is not refused here would be refused when the signature is judged.
  if (!isStrict(source.path, { password: source.password, section: readFileSync(path) })) throw repairWanted()
  return { ...section, field, subFilter, algorithm }
}
