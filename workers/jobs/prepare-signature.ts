// Prepares a signature of a layer: writes the section that is laid behind the base, with a hole for the CMS, and
// returns the digest to sign. The open copies of the layer are left alone, because nothing changes in it until the
// signature is complete.
import { readFileSync } from 'node:fs'
import { Change, repairWanted } from '../change/change.js'
import type { EffectList } from '../change/effects.js'
import { refuseUnwritable } from '../change/refuse-unwritable.js'
import type { Resource, Stamp } from '../change/unfinished-item.js'
import { removeUsageRights } from '../change/usage-rights.js'
import type { SignaturePrepare, SigningDigest } from '../contract/signatures/preparation.js'
import type { DocumentProtection } from '../contract/signatures/protection.js'
import { openFile } from '../document/open-file.js'
import { isTrap } from '../engine/trap.js'
import type { InlineAnnotation, StoredImage } from '../messages/task.js'
import type { ByteRange } from '../signing/byte-range.js'
import { type MadeSignature, makeSignature } from '../signing/make-signature.js'
import { isStrict } from '../signing/read-signature.js'
import { refuseForbiddenEdits, refuseForbiddenSignature } from '../signing/refuse-forbidden.js'
import { writeSignedSection } from '../signing/signed-section.js'
import type { Job, OnDocument } from './job.js'
import { imagesOf } from './strict-source.js'

/** Input of the job. The source includes the images of its overlay. */
export interface PrepareSignatureInput extends OnDocument {
  readonly request: SignaturePrepare
  /** Changes that the signatures of the layer's base permit; null = everything. */
  readonly protection: DocumentProtection | null
  /** True if a redaction has rewritten the base, so that earlier signatures are broken. */
  readonly isRewritten: boolean
  /** References of the base, stored by the job `references`; unused if it is not certified. */
  readonly referencesPath?: string | undefined
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
    refuseForbiddenEdits(input, images)
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

function withoutReplaced(images: readonly StoredImage[], by: readonly StoredImage[]): readonly StoredImage[] {
  const replaced = new Set(by.map(({ number }) => number))
  return images.filter(({ number }) => !replaced.has(number))
}

function writeSection(
  input: PrepareSignatureInput,
  images: readonly StoredImage[],
  { signature, field, subFilter, algorithm }: MadeSignature,
) {
  const { source, contentsSize, path, request } = input
  const section = writeSignedSection({ source, images, signature, contentsSize, algorithm, path })
  // Anything that is not refused here would be refused when the signature is judged.
  if (!isStrict(source.path, { password: source.password, section: readFileSync(path) })) throw repairWanted()
  // What makes a timestamp of it is in the CMS, which is still missing.
  if (request.kind !== 'timestamp') refuseForbiddenSignature(input, path)
  return { ...section, field, subFilter, algorithm }
}
