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

/** What restricts a document. */
export const EnforcedBy = Type.Object({
  /** `unreadable`: the file has a signature, and the structure of the file is ambiguous. */
  source: Type.Enum(['certification', 'lock', 'unreadable']),
  /** Full name of the signed field; null if no field has the signature. */
  fieldName: Nullable(Type.String()),
  /** Null if a later revision removed the field, or if the file is unreadable. */
  signatureIndex: Nullable(CountFromZero),
  /** Of an unreadable file: offset of the byte range of the signature. */
  offset: Type.Optional(CountFromZero),
})
export type EnforcedBy = Static<typeof EnforcedBy>

export const DocumentProtection = Type.Object({
  /** Highest level of changes that may be written; null = no certification or lock restricts the document. */
  enforced: Nullable(ProtectionLevel),
  /** What `enforced` is from; null or missing = nothing, or an older server recorded the protection. */
  enforcedBy: Type.Optional(Nullable(EnforcedBy)),
  /** Level at which later changes are judged; null = the document is not signed. */
  judged: Nullable(ProtectionLevel),
  certification: Nullable(Type.Object({ signatureIndex: CountFromZero, permission: DocMdpPermission })),
  fieldLocks: Type.Array(
    Type.Object({
      signatureIndex: CountFromZero,
      /** Full name of the signed field. */
      fieldName: Type.Optional(Type.String()),
      source: Type.Enum(['fieldmdp', 'lock']),
      spec: FieldLock,
    }),
  ),
  /** Version of the rules that changes are judged by. */
  policyVersion: Type.Integer({ minimum: 1 }),
})
export type DocumentProtection = Static<typeof DocumentProtection>

/** Returns the subject of a refusal: the signature that forbids a change. */
export function restraintText(by: EnforcedBy | null | undefined): string {
  if (!by) return 'A signature of the document'
  if (by.source === 'unreadable') return `The signature at byte ${by.offset ?? 0}, in a file of ambiguous structure,`
  if (by.fieldName === null) return 'The certification that the catalog names in /Perms'
  const removed = by.signatureIndex === null ? ', which a later revision removed,' : ''
  return `The ${by.source} by the signature field "${by.fieldName}"${removed}`
}
