// Refuses what the certification of a document would forbid afterwards: the rules of the analysis are applied before anything is
// answered as done, so that they never condemn a file of this program later.
import { readFileSync } from 'node:fs'
import { JobRefusal } from '../contract/job-refusal.js'
import type { Finding } from '../contract/signatures/change-analysis.js'
import { type DocumentProtection, restraintText } from '../contract/signatures/protection.js'
import { sentSection } from '../file/section/layer-section.js'
import { contentOf } from '../file/section/section-pieces.js'
import type { OpenedFrom, StoredImage } from '../messages/task.js'
import { forbiddenIn } from '../signatures/analysis/forbidden-in.js'
import { LockedFile } from '../strict-reader/encryption/security.js'
import { openStrict } from '../strict-reader/open-strict.js'
import { loadReferences } from '../strict-reader/references/stored-references.js'
import { NotStrict } from '../strict-reader/strict-document.js'

export interface Guarded {
  readonly source: OpenedFrom & { readonly sizeBytes: number }
  /** Without a certification, everybody decides what to change. */
  readonly protection: DocumentProtection | null
  /** References of the base, stored by the job `references`; without them, every object of the file is read. */
  readonly referencesPath?: string | undefined
}

/** True if the rules are applied to changes of the document. */
export const isGuarded = ({ protection }: Pick<Guarded, 'protection'>): boolean =>
  (protection?.enforced ?? null) !== null

/** Throws `ProtectedDocument` if the images, laid over the former ones, are forbidden, and these were not. */
export function refuseForbiddenChange(
  guarded: Guarded,
  before: readonly StoredImage[],
  images: readonly StoredImage[],
): void {
  const changed = new Set(images.map(({ number }) => number))
  const after = [...before.filter(({ number }) => !changed.has(number)), ...images]
  if (images.length > 0) {
    refuse(guarded, {
      after: sectionOf(guarded, after),
      before: sectionOf(guarded, before),
      what: 'forbids this change',
    })
  }
}

/** Throws `ProtectedDocument` if the edits of the layer, which may be older than the signatures, are forbidden. */
export function refuseForbiddenEdits(guarded: Guarded, images: readonly StoredImage[]): void {
  if (images.length === 0) return
  refuse(guarded, { after: sectionOf(guarded, images), what: 'forbids edits of the layer; sign another layer' })
}

/** Throws `ProtectedDocument` if the section with the signature at the path is forbidden. */
export function refuseForbiddenSignature(guarded: Guarded, path: string): void {
  refuse(guarded, { after: () => readFileSync(path), what: 'forbids this signature', isFinal: () => true })
}

interface Question {
  /** Return the bytes behind the base. */
  readonly after: () => Uint8Array
  readonly before?: () => Uint8Array
  readonly what: string
  readonly isFinal?: (finding: Finding) => boolean
}

function refuse(guarded: Guarded, { after, before, what, isFinal = isNotToSign }: Question): void {
  if (!isGuarded(guarded)) return
  const found = forbiddenWith(guarded, after()).filter(isFinal)
  if (found.length === 0) return
  const known = new Set(forbiddenWith(guarded, before?.()).map(nameOf))
  const finding = found.find((one) => !known.has(nameOf(one)))
  if (finding === undefined) return
  const { rule, objectNumber, edge, detail } = finding
  const by = guarded.protection?.enforcedBy
  const why = `rule ${rule}, object ${objectNumber}${edge === undefined ? '' : `, ${edge}`}${detail === undefined ? '' : `: ${detail}`}`
  throw new JobRefusal('ProtectedDocument', `${restraintText(by)} ${what} (${why})`, {
    rule,
    objectNumber,
    ...(edge !== undefined && { edge }),
    ...(detail !== undefined && { detail }),
    ...(by && { by }),
  })
}

/** A drawing of a signature field is permitted by the signature that is made in the field afterwards. */
const isNotToSign = ({ rule }: Finding): boolean => rule !== 'signature-appearance'

const nameOf = ({ rule, objectNumber, edge }: Finding): string => `${rule} ${objectNumber} ${edge ?? ''}`

const sectionOf =
  ({ source }: Guarded, images: readonly StoredImage[]) =>
  (): Uint8Array =>
    images.length === 0 ? Buffer.alloc(0) : Buffer.concat(sentSection(source, images).pieces.map(contentOf))

/** Of a file of ambiguous structure, nothing is known to be forbidden. */
function forbiddenWith({ source, referencesPath }: Guarded, section: Uint8Array | undefined): readonly Finding[] {
  const references = referencesPath === undefined ? undefined : loadReferences(referencesPath, source.sizeBytes)
  const behind = section === undefined || section.length === 0 ? undefined : section
  try {
    const document = openStrict(source.path, { password: source.password, section: behind, references })
    try {
      return forbiddenIn(document)
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict || error instanceof LockedFile) return []
    throw error
  }
}
