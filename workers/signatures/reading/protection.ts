// Derives the protection of a file from the restrictions of its signatures.
import type { DocMdpPermission, FieldLock } from '../../contract/signatures/field-lock.js'
import { policyVersion } from '../../contract/signatures/policy-version.js'
import {
  type DocumentProtection,
  type ProtectionLevel,
  protectionLevels,
} from '../../contract/signatures/protection.js'

const levelOf: Readonly<Record<DocMdpPermission, ProtectionLevel>> = { 1: 'lta', 2: 'fill', 3: 'annotate' }

/** Restrictions of one signature. */
export interface SignedRestrictions {
  /** Position in the last revision; null if the field is no longer there. */
  readonly signatureIndex: number | null
  /** Level of the certification; null if the signature does not certify the document. */
  readonly certification: DocMdpPermission | null
  readonly fieldMdps: readonly FieldLock[]
  readonly lock: FieldLock | null
}

/**
 * Returns the protection that follows from all signatures of a file. Restrictions of a signature that a later revision
 * removed or replaced must be among them: removing a certification does not lift it. Locks of a signature whose field is
 * gone cannot be named by an index: they then lock the whole document.
 */
export function protectionOf(signatures: readonly SignedRestrictions[]): DocumentProtection {
  const restricted = signatures.flatMap(({ signatureIndex, certification, fieldMdps, lock }): ProtectionLevel[] => [
    ...(certification === null ? [] : [levelOf[certification]]),
    ...(lock?.permission === undefined ? [] : [levelOf[lock.permission]]),
    ...(signatureIndex === null && (fieldMdps.length > 0 || lock !== null) ? (['none'] as const) : []),
  ])
  const enforced = protectionLevels.find((level) => restricted.includes(level)) ?? null
  return {
    enforced,
    judged: enforced ?? (signatures.length > 0 ? 'annotate' : null),
    certification: certificationOf(signatures),
    fieldLocks: signatures.flatMap(({ signatureIndex, fieldMdps, lock }) => {
      if (signatureIndex === null) return []
      const transforms = fieldMdps.map((spec) => ({ signatureIndex, source: 'fieldmdp' as const, spec }))
      return lock === null ? transforms : [...transforms, { signatureIndex, source: 'lock' as const, spec: lock }]
    }),
    policyVersion,
  }
}

/** Returns the strictest certification whose field is still there. */
function certificationOf(signatures: readonly SignedRestrictions[]): DocumentProtection['certification'] {
  const found = signatures.flatMap(({ signatureIndex, certification }) =>
    signatureIndex === null || certification === null ? [] : [{ signatureIndex, permission: certification }],
  )
  return found.toSorted((one, other) => one.permission - other.permission)[0] ?? null
}

/**
 * Returns the protection of a file that the strict reader refuses. It permits no change if the file looks signed, because
 * damage must not make a signed file editable.
 */
export const protectionOfRefused = (isSigned: boolean): DocumentProtection => ({
  enforced: isSigned ? 'none' : null,
  judged: isSigned ? 'none' : null,
  certification: null,
  fieldLocks: [],
  policyVersion,
})
