// Derives the protection of a file from the restrictions of its signatures.
import type { DocMdpPermission, FieldLock } from '../../contract/signatures/field-lock.js'
import { policyVersion } from '../../contract/signatures/policy-version.js'
import {
  type DocumentProtection,
  type EnforcedBy,
  type ProtectionLevel,
  protectionLevels,
} from '../../contract/signatures/protection.js'

const levelOf: Readonly<Record<DocMdpPermission, ProtectionLevel>> = { 1: 'lta', 2: 'fill', 3: 'annotate' }

/** Restrictions of one signature. */
export interface SignedRestrictions {
  /** Position in the last revision; null if the field is no longer there. */
  readonly signatureIndex: number | null
  /** Full name of the field; null for a signature that only the catalog names. */
  readonly fieldName: string | null
  /** Level of the certification; null if the signature does not certify the document. */
  readonly certification: DocMdpPermission | null
  readonly fieldMdps: readonly FieldLock[]
  readonly lock: FieldLock | null
}

/**
 * Returns the protection that follows from all signatures of a file. Restrictions of a signature that a later revision
 * removed or replaced must be among them: removing a certification does not lift it. Locks of a signature whose field
 * is gone cannot be named by an index: they then lock the whole document.
 */
export function protectionOf(signatures: readonly SignedRestrictions[]): DocumentProtection {
  const restricted = signatures.flatMap(restrictionsOf)
  const enforced = protectionLevels.find((level) => restricted.some((one) => one.level === level)) ?? null
  return {
    enforced,
    enforcedBy: restricted.find(({ level }) => level === enforced)?.by ?? null,
    judged: enforced ?? (signatures.length > 0 ? 'annotate' : null),
    certification: certificationOf(signatures),
    fieldLocks: signatures.flatMap(({ signatureIndex, fieldName, fieldMdps, lock }) => {
      if (signatureIndex === null) return []
      const by = { signatureIndex, ...(fieldName !== null && { fieldName }) }
      const transforms = fieldMdps.map((spec) => ({ ...by, source: 'fieldmdp' as const, spec }))
      return lock === null ? transforms : [...transforms, { ...by, source: 'lock' as const, spec: lock }]
    }),
    policyVersion,
  }
}

interface LevelBy {
  readonly level: ProtectionLevel
  readonly by: EnforcedBy
}

function restrictionsOf(restrictions: SignedRestrictions): readonly LevelBy[] {
  const { signatureIndex, fieldName, certification, fieldMdps, lock } = restrictions
  const from = (source: EnforcedBy['source'], level: ProtectionLevel): LevelBy => ({
    level,
    by: { source, fieldName, signatureIndex },
  })
  return [
    ...(certification === null ? [] : [from('certification', levelOf[certification])]),
    ...(lock?.permission === undefined ? [] : [from('lock', levelOf[lock.permission])]),
    ...(signatureIndex === null && (fieldMdps.length > 0 || lock !== null) ? [from('lock', 'none')] : []),
  ]
}

/** Returns the strictest certification whose field is still there. */
function certificationOf(signatures: readonly SignedRestrictions[]): DocumentProtection['certification'] {
  const found = signatures.flatMap(({ signatureIndex, certification }) =>
    signatureIndex === null || certification === null ? [] : [{ signatureIndex, permission: certification }],
  )
  return found.toSorted((one, other) => one.permission - other.permission)[0] ?? null
}

/**
 * Returns the protection of a file that the strict reader refuses. It permits no change if the file looks signed,
 * because damage must not make a signed file editable. `signatureAt`: offset of the byte range of a signature.
 */
export function protectionOfRefused(signatureAt: number | undefined): DocumentProtection {
  const level = signatureAt === undefined ? null : 'none'
  const by = { source: 'unreadable' as const, fieldName: null, signatureIndex: null }
  return {
    enforced: level,
    enforcedBy: signatureAt === undefined ? null : { ...by, offset: signatureAt },
    judged: level,
    certification: null,
    fieldLocks: [],
    policyVersion,
  }
}
