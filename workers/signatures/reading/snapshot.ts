// Reads all signature fields of a file, its revisions and the protection that follows from them.

import type { Signature } from '../../contract/signatures/signature.js'
import type { Revision, SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import { securityStoreOf } from '../trust/security-store.js'
import type { TrustRoots } from '../trust/trust-roots.js'
import type { SignatureInput, VerificationOf } from '../trust/verification-input.js'
import { VerificationWork } from '../trust/verification-work.js'
import { type Coverage, coverageOf } from './coverage.js'
import { protectionOf } from './protection.js'
import { readingLimits } from './reading-limits.js'
import { lockOf, transformsOf } from './restrictions.js'
import { allRestrictions, certifiedBy } from './revision-signatures.js'
import { seedValueOf } from './seed-value.js'
import { FieldBudget, type SignatureField, signatureFields } from './signature-fields.js'
import { type SignatureValue, signatureValue } from './signature-value.js'
import { DigestBudget, signedBytes } from './signed-bytes.js'
import { WidgetPlaces } from './widget-place.js'

/** Setup of the verification of integrity and trust; without it, `verification` of signatures is null. */
export interface VerificationSetup {
  readonly verificationOf: VerificationOf
  readonly roots: TrustRoots
  /** Time at which the signatures are judged. */
  readonly now: Date
}

interface ReadField {
  readonly field: SignatureField
  readonly value: SignatureValue | undefined
  readonly coverage: Coverage | undefined
  readonly input: SignatureInput | undefined
}

/**
 * Reads the snapshot. Throws `NotStrict` if the structure of the file is ambiguous. Of a file without signature fields,
 * only the trailer, the catalog and the form are read.
 */
export function signatureSnapshot(document: StrictDocument, setup?: VerificationSetup): SignatureSnapshot {
  const newest = newestOf(document)
  const budget = new FieldBudget()
  const fields = signatureFields(newest, budget)
  const read = readFields(document, newest, fields)
  const places = new WidgetPlaces(newest)
  const named = certifiedBy(newest)
  const verify = setup && verifier(document, { read, setup })
  const signatures = read.map(
    (one, index): Signature => ({
      index,
      ...factsOf(newest, one, places),
      catalogCertification: named !== undefined && one.value?.reference?.number === named,
      verification: verify?.(one) ?? null,
    }),
  )
  return {
    chainValid: true,
    chainProblem: null,
    revisions: document.revisions.map((revision) => revisionOf(revision, signatures)),
    signatures,
    protection: protectionOf(allRestrictions(document, fields, budget)),
  }
}

export function newestOf(document: StrictDocument): StrictRevision {
  const newest = document.revisions.at(-1)
  if (newest === undefined) throw new Error('A document has a revision')
  return newest
}

function readFields(
  document: StrictDocument,
  revision: StrictRevision,
  fields: readonly SignatureField[],
): readonly ReadField[] {
  const budget = DigestBudget.ofFile(document)
  let contentsBytes = 0
  return fields.map((field) => {
    const value = signatureValue(revision, field)
    contentsBytes += value?.contents.length ?? 0
    if (contentsBytes > document.sizeBytes + readingLimits.sharedContentsBytesMax)
      throw new NotStrict('Too many form fields share a signature')
    return readField(document, { field, value, budget })
  })
}

interface FieldValue {
  readonly field: SignatureField
  readonly value: SignatureValue | undefined
  readonly budget: DigestBudget
}

function readField(document: StrictDocument, { field, value, budget }: FieldValue): ReadField {
  if (value === undefined) return { field, value, coverage: undefined, input: undefined }
  const coverage = coverageOf(document, field, value)
  const { subFilter, contents, certificates, signer, byteRange } = value
  const input: SignatureInput = {
    subFilter,
    coverage: coverage.coverage,
    contents,
    certificates,
    signed: signedBytes(document, byteRange ?? [0, 0, 0, 0], budget),
    dictionaryTime: signer.signedAt === null ? null : new Date(signer.signedAt),
  }
  return { field, value, coverage, input }
}

type Facts = Omit<Signature, 'index' | 'catalogCertification' | 'verification'>

function factsOf(revision: StrictRevision, { field, value, coverage }: ReadField, places: WidgetPlaces): Facts {
  const number = field.reference?.number
  const transforms = value && transformsOf(revision, value.dictionary)
  return {
    field: number === undefined ? { kind: 'fqn', name: field.name } : { kind: 'objectNumber', objectNumber: number },
    fieldName: field.name,
    widget: places.placeOf(field),
    signed: value !== undefined,
    kind: value?.kind ?? 'signature',
    filter: value?.filter ?? null,
    subFilter: value?.subFilter ?? null,
    byteRange: value?.byteRange ? [...value.byteRange] : null,
    contentsSize: value?.contents.length ?? 0,
    coverage: coverage?.coverage ?? null,
    revisionIndex: coverage?.revisionIndex ?? null,
    signer: value?.signer ?? { name: null, reason: null, location: null, contactInfo: null, signedAt: null },
    docMdp: transforms?.docMdp ?? null,
    fieldMdp: transforms?.fieldMdps[0] ?? null,
    lock: lockOf(revision, field.dictionary),
    seedValue: seedValueOf(revision, field.dictionary),
  }
}

const revisionOf = ({ index, end, xrefOffset }: StrictRevision, signatures: readonly Signature[]): Revision => ({
  index,
  end,
  xrefOffset,
  signatureIndex:
    signatures.find(({ coverage, revisionIndex }) => coverage === 'whole-revision' && revisionIndex === index)?.index ??
    null,
})

/** Returns a function that verifies one field; undefined if no field is signed. */
function verifier(
  document: StrictDocument,
  { read, setup }: { readonly read: readonly ReadField[]; readonly setup: VerificationSetup },
) {
  const signed = read.filter(({ input }) => input !== undefined)
  if (signed.length === 0) return undefined
  const store = securityStoreOf(document)
  const work = new VerificationWork()
  return ({ input, coverage }: ReadField) => {
    if (input === undefined) return null
    const laterTimestamps = signed
      .filter((other) => other.value?.kind === 'timestamp' && isLater(other.coverage, coverage))
      .toSorted((one, other) => (one.coverage?.revisionIndex ?? 0) - (other.coverage?.revisionIndex ?? 0))
      .flatMap((other) => other.input ?? [])
    return setup.verificationOf({ ...input, store, laterTimestamps, roots: setup.roots, now: setup.now, work })
  }
}

/**
 * True if the timestamp covers the revision of the signature, because it covers a whole later revision and everything
 * before that one.
 */
const isLater = (timestamp: Coverage | undefined, signature: Coverage | undefined): boolean =>
  timestamp?.coverage === 'whole-revision' &&
  timestamp.revisionIndex !== null &&
  signature !== undefined &&
  signature.revisionIndex !== null &&
  timestamp.revisionIndex > signature.revisionIndex
