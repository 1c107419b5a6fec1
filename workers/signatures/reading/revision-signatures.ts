// The signatures that each revision has, and their restrictions, those of removed and replaced ones included.

import type { DocMdpPermission } from '../../contract/signatures/field-lock.js'
import type { StrictDocument, StrictRevision } from '../../strict-reader/strict-document.js'
import { ofKind } from '../../strict-reader/values-of.js'
import { catalogOf, dictionaryAt, referenceAt } from './entries.js'
import type { SignedRestrictions } from './protection.js'
import { lockOf, transformsOf } from './restrictions.js'
import { type FieldBudget, type SignatureField, signatureFields } from './signature-fields.js'
import { type SignatureValue, signatureValue } from './signature-value.js'

export interface SignedField {
  readonly field: SignatureField
  readonly value: SignatureValue
}

/** Number of the object that the catalog names as the certification; undefined if none. */
export const certifiedBy = (revision: StrictRevision): number | undefined =>
  referenceAt(dictionaryAt(revision, catalogOf(revision), 'Perms'), 'DocMDP')?.number

export const signedFields = (revision: StrictRevision, fields: readonly SignatureField[]): readonly SignedField[] =>
  fields.flatMap((field) => {
    const value = signatureValue(revision, field)
    return value === undefined ? [] : [{ field, value }]
  })

/**
 * Returns the restrictions of all signatures that any revision has, as each revision says them: one that a later revision
 * removed, weakened or replaced still counts. Older revisions are only read if there are several.
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
    // A certification that no field has.
    if (named !== undefined && !signed.some(({ value }) => value.reference?.number === named)) {
      for (const restrictions of unnamed(revision, named)) found.set(JSON.stringify(restrictions), restrictions)
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

/** A later signature has its hole behind that of an earlier one. */
const hole = ({ value }: SignedField): number => value.byteRange?.[1] ?? 0

interface Surroundings {
  readonly newest: readonly SignatureField[]
  readonly named: number | undefined
  readonly first: string | undefined
}

function restrictionsOf(
  revision: StrictRevision,
  { field, value }: SignedField,
  { newest, named, first }: Surroundings,
): SignedRestrictions {
  const { docMdp, fieldMdps } = transformsOf(revision, value.dictionary)
  const index = newest.findIndex(
    ({ reference, name }) => (reference?.number ?? 0) === (field.reference?.number ?? 0) && name === field.name,
  )
  const isNamed = named !== undefined && value.reference?.number === named
  return {
    signatureIndex: index < 0 ? null : index,
    // What the catalog names certifies, with the standard permission if it states none.
    certification: isNamed || (field.name === first && docMdp !== null) ? (docMdp ?? standardPermission) : null,
    fieldMdps,
    lock: lockOf(revision, field.dictionary),
  }
}

const standardPermission: DocMdpPermission = 2

function unnamed(revision: StrictRevision, number: number): readonly SignedRestrictions[] {
  const generation = revision.generationOf(number)
  const value = ofKind(generation === undefined ? null : revision.object({ number, generation }), 'dictionary')
  if (value === undefined) return []
  const certification = transformsOf(revision, value).docMdp ?? standardPermission
  return [{ signatureIndex: null, certification, fieldMdps: [], lock: null }]
}
