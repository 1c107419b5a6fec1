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

export const signedFields = (
  revision: StrictRevision,
  fields: readonly SignatureField[],
  budget: FieldBudget,
): readonly SignedField[] =>
  fields.flatMap((field) => {
    const value = signatureValue(revision, field)
    budget.takeContents(value?.contents.length ?? 0)
    return value === undefined ? [] : [{ field, value }]
  })

/**
 * Returns the restrictions of every signature in every revision, as that revision states them: one that a later revision
 * removed, weakened or replaced still counts.
 */
export function allRestrictions(
  document: StrictDocument,
  newest: readonly SignatureField[],
  budget: FieldBudget,
): readonly SignedRestrictions[] {
  const last = document.revisions.length - 1
  const first = new FirstSignature()
  const stated = new Map<string, StatedRestrictions>()
  const unnamed = new Map<string, SignedRestrictions>()
  for (const revision of document.revisions) {
    const fields = revision.index === last ? newest : signatureFields(revision, budget)
    const signed = signedFields(revision, fields, budget)
    const named = certifiedBy(revision)
    for (const one of signed) {
      first.see(one)
      const facts = statedBy(revision, one, named)
      stated.set(JSON.stringify(facts), facts)
    }
    // The catalog may name a certification that is in no field.
    if (named !== undefined && !signed.some(({ value }) => value.reference?.number === named)) {
      for (const restrictions of withoutField(revision, named)) unnamed.set(JSON.stringify(restrictions), restrictions)
    }
  }
  const indexOf = new Map<string, number>()
  for (const [index, { reference, name }] of newest.entries()) {
    const key = fieldKey(reference?.number ?? 0, name)
    if (!indexOf.has(key)) indexOf.set(key, index)
  }
  const found = new Map<string, SignedRestrictions>()
  for (const { fieldNumber, fieldName, isNamed, docMdp, fieldMdps, lock } of stated.values()) {
    // A signature certifies if the catalog names it, or if it is the first and has a DocMDP transform.
    const isCertification = isNamed || (fieldName === first.fieldName && docMdp !== null)
    const restrictions = {
      signatureIndex: indexOf.get(fieldKey(fieldNumber, fieldName)) ?? null,
      fieldName,
      certification: isCertification ? (docMdp ?? defaultPermission) : null,
      fieldMdps,
      lock,
    }
    found.set(JSON.stringify([fieldName, restrictions]), restrictions)
  }
  return [...found.values(), ...unnamed.values()]
}

const fieldKey = (number: number, name: string): string => `${number} ${name}`

/** Finds the field that was signed first: the hole of a later signature has a greater offset. */
class FirstSignature {
  fieldName: string | undefined
  #hole = Number.POSITIVE_INFINITY

  see({ field, value }: SignedField): void {
    const hole = value.byteRange?.[1] ?? 0
    if (value.kind !== 'signature' || hole >= this.#hole) return
    this.#hole = hole
    this.fieldName = field.name
  }
}

/**
 * Restrictions that one revision states for a signature. The bytes of the signature are not kept, because a file may have
 * hundreds of revisions.
 */
interface StatedRestrictions extends Pick<SignedRestrictions, 'fieldMdps' | 'lock'>, Pick<Transforms, 'docMdp'> {
  /** Number of the field's object; 0 for a field that is stored inline. */
  readonly fieldNumber: number
  readonly fieldName: string
  /** The catalog names the signature as the certification. */
  readonly isNamed: boolean
}

type Transforms = ReturnType<typeof transformsOf>

function statedBy(
  revision: StrictRevision,
  { field, value }: SignedField,
  named: number | undefined,
): StatedRestrictions {
  const { docMdp, fieldMdps } = transformsOf(revision, value.dictionary)
  return {
    fieldNumber: field.reference?.number ?? 0,
    fieldName: field.name,
    isNamed: named !== undefined && value.reference?.number === named,
    docMdp,
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
  return [{ signatureIndex: null, fieldName: null, certification, fieldMdps: [], lock: null }]
}
