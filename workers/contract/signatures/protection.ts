// Schema of the changes that the signatures of a document permit, derived from the signed revisions alone.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { DocMdpPermission, FieldLock } from './field-lock.js'

/**
 * Kinds of changes that are permitted after a signature; each one includes those before it: none at all, data for
 * long-term validation and document timestamps, filling forms and signing, annotations.
 */
export const protectionLevels = ['none', 'lta', 'fill', 'annotate'] as const
export const ProtectionLevel = Type.Enum([...protectionLevels])
export type ProtectionLevel = Static<typeof ProtectionLevel>

/** True if `level` permits all changes that `other` permits. */
export const includesLevel = (level: ProtectionLevel, other: ProtectionLevel): boolean =>
  protectionLevels.indexOf(level) >= protectionLevels.indexOf(other)

export const DocumentProtection = Type.Object({
  /** Highest level of changes that may be written; null = no certification or lock restricts the document. */
  enforced: Nullable(ProtectionLevel),
  /** Level at which later changes are judged; null = the document is not signed. */
  judged: Nullable(ProtectionLevel),
  certification: Nullable(Type.Object({ signatureIndex: CountFromZero, permission: DocMdpPermission })),
  fieldLocks: Type.Array(
    Type.Object({ signatureIndex: CountFromZero, source: Type.Enum(['fieldmdp', 'lock']), spec: FieldLock }),
  ),
  /** Version of the rules that changes are judged by. */
  policyVersion: Type.Integer({ minimum: 1 }),
})
export type DocumentProtection = Static<typeof DocumentProtection>
