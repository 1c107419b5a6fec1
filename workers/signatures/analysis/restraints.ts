// Derives the changes that the signatures up to a revision permit afterwards. They are read in that revision, because a
// later one may have changed the fields that state them.
import type { Restriction } from '../../contract/signatures/change-analysis.js'
import type { FieldLock } from '../../contract/signatures/field-lock.js'
import type { ProtectionLevel } from '../../contract/signatures/protection.js'
import type { SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import type { Restraints } from './compare/comparison.js'

export function restraintsOf(
  { signatures, protection }: SignatureSnapshot,
  level: ProtectionLevel | undefined,
): Restraints {
  return {
    level: level ?? protection.judged ?? 'annotate',
    // A certification still counts if an earlier revision removed its field.
    isCertified: protection.enforced !== null,
    isSigned: signatures.some(({ signed, kind }) => signed && kind === 'signature'),
    locks: protection.fieldLocks.map(({ spec }) => spec),
  }
}

/**
 * Returns the restrictions in force, for the answer. Indexes of signatures are those in the last revision: `indexOf` maps
 * names of fields to them, and `own` is the one that the analysis starts from.
 */
export function restrictionsOf(
  { signatures, protection }: SignatureSnapshot,
  own: number | null,
  indexOf: (fieldName: string) => number | undefined,
): Restriction[] {
  const named = (index: number) => {
    const signature = signatures[index]
    const signatureIndex = (signature && indexOf(signature.fieldName)) ?? index
    return { signatureIndex, revisionIndex: signature?.revisionIndex ?? 0, own: signatureIndex === own }
  }
  const certification = protection.certification
  return [
    ...(certification === null
      ? []
      : [
          {
            ...named(certification.signatureIndex),
            source: 'docmdp' as const,
            permission: certification.permission,
          },
        ]),
    ...protection.fieldLocks.map(({ signatureIndex, source, spec }) => ({
      ...named(signatureIndex),
      source,
      ...(spec.permission !== undefined && { permission: spec.permission }),
      fields: fieldsOf(spec),
    })),
  ]
}

/** Returns the fields of a lock: `*` stands for all fields, and `!` before a name excludes it. */
function fieldsOf({ action, fields }: FieldLock): string[] {
  if (action === 'all') return ['*']
  return action === 'include' ? fields : ['*', ...fields.map((name) => `!${name}`)]
}
