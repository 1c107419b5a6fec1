// Collects the restrictions of the signatures of all revisions, including those of removed and replaced signatures.

import type { StrictDocument, StrictRevision } from '../../strict-reader/strict-document.js'
import { ofKind } from '../../strict-reader/values-of.js'
import { catalogOf, dictionaryAt, referenceAt } from './entries.js'
import type { SignedRestrictions } from './protection.js'
import { defaultPermission, lockOf, transformsOf } from './restrictions.js'
import { type FieldBudget, type SignatureField, signatureFields } from './signature-fields.js'
import { type SignatureValue, signatureValue } from './signature-value.js'

export interface SignedField {
  readonly field: SignatureField
  readonly value: SignatureValue
}

/** Returns the number of the object that the catalog names as the certification; undefined if none. */
export const certifiedBy = (revision: StrictRevision): number | undefined =>
  referenceAt(dictionaryAt(revision, catalogOf(revision), 'Perms'), 'DocMDP')?.number

export const signedFields = (revision: StrictRevision, fields: readonly SignatureField[]): readonly SignedField[] =>
  fields.flatMap((field) => {
    const value = signatureValue(revision, field)
    return value === undefined ? [] : [{ field, value }]
  })

/**
 * Returns the restrictions of every signature in every revision, as that revision states them, so that a restriction
 * counts even if a later revision removed, weakened or replaced it.
 */
export function allRestrictions(
  document: StrictDocument,
  newest: readonly SignatureField[],
  budget: FieldBudget,
): readonly SignedRestrictions[] {
  const last = document.revisions.length - 1
  const revisions = document.revisions.map((revision) => ({
    revision,
    signed: signedFields(revision, revision.index === last ? newest : signatureFields(revision, budget)),
  }))
  const first = firstSignature(revisions.flatMap(({ signed }) => signed))
  const found = new Map<string, SignedRestrictions>()
  for (const { revision, signed } of revisions) {
    const named = certifiedBy(revision)
    for (const one of signed) {
      const restrictions = restrictionsOf(revision, one, { newest, named, first })
      found.set(JSON.stringify([one.field.name, restrictions]), restrictions)
    }
    // The catalog may name a certification that is in no field.
    if (named !== undefined && !signed.some(({ value }) => value.reference?.number === named)) {
      for (const restrictions of withoutField(revision, named)) found.set(JSON.stringify(restrictions), restrictions)
    }
  }
  return [...found.values()]
}

/** Returns the full name of the field that was signed first; undefined if none was. */
function firstSignature(signed: readonly SignedField[]): string | undefined {
  const [first] = signed
    .filter(({ value }) => value.kind === 'signature')
    .toSorted((one, other) => hole(one) - hole(other))
  return first?.field.name
}

/** Offset of the hole of a signature, which is greater for later signatures. */
const hole = ({ value }: SignedField): number => value.byteRange?.[1] ?? 0

interface RevisionContext {
  /** Fields of the newest revision. */
  readonly newest: readonly SignatureField[]
  /** Certification that the catalog names. */
  readonly named: number | undefined
  /** Full name of the field that was signed first. */
  readonly first: string | undefined
}

function restrictionsOf(
  revision: StrictRevision,
  { field, value }: SignedField,
  { newest, named, first }: RevisionContext,
): SignedRestrictions {
  const { docMdp, fieldMdps } = transformsOf(revision, value.dictionary)
  const index = newest.findIndex(
    ({ reference, name }) => (reference?.number ?? 0) === (field.reference?.number ?? 0) && name === field.name,
  )
  const isNamed = named !== undefined && value.reference?.number === named
  return {
    signatureIndex: index < 0 ? null : index,
    // A signature certifies if the catalog names it, or if it is the first and has a DocMDP transform.
    certification: isNamed || (field.name === first && docMdp !== null) ? (docMdp ?? defaultPermission) : null,
    fieldMdps,
    lock: lockOf(revision, field.dictionary),
  }
}

/** Returns the restrictions of a certification that is in no field. */
function withoutField(revision: StrictRevision, number: number): readonly SignedRestrictions[] {
  const generation = revision.generationOf(number)
  const value = ofKind(generation === undefined ? null : revision.object({ number, generation }), 'dictionary')
  if (value === undefined) return []
  const certification = transformsOf(revision, value).docMdp ?? defaultPermission
  return [{ signatureIndex: null, certification, fieldMdps: [], lock: null }]
}
