// Schema of a signature field and of the signature in it.
import { type Static, Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { FormWidget } from '../form-widget.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { DocMdpPermission, FieldLock } from './field-lock.js'
import { SignatureVerification } from './verification.js'

/** Requirements of a field on the signature that goes into it (ISO 32000-2, table 237). */
export const SeedValue = Type.Object({
  /** Value of `/Ff`: the entries that are mandatory. */
  requiredFlags: Type.Integer(),
  /** Entries that are present, in the same bits as `requiredFlags`. */
  presentFlags: Type.Integer(),
  version: Nullable(Type.Integer()),
  /** Permission of `/MDP /P`: 0 = must not certify. */
  mdp: Nullable(Type.Enum([0, 1, 2, 3])),
  filter: Nullable(Type.String()),
  subFilters: Type.Array(Type.String()),
  digestMethods: Type.Array(Type.String()),
  reasons: Type.Array(Type.String()),
  /** True if this server cannot meet one of the mandatory entries. */
  unsupportedRequired: Type.Boolean(),
})
export type SeedValue = Static<typeof SeedValue>

const NullableText = Nullable(Type.String())

export const Signature = Type.Object({
  /** Position among the signature fields of the file, in the order of its field tree. */
  index: CountFromZero,
  field: FormFieldRef,
  /** Full name of the field. */
  fieldName: Type.String(),
  widget: Nullable(FormWidget),
  signed: Type.Boolean(),
  kind: Type.Enum(['signature', 'timestamp']),
  filter: NullableText,
  subFilter: NullableText,
  /** Value of `/ByteRange`: two pairs of offset and length; null if missing or malformed. */
  byteRange: Nullable(Type.Array(CountFromZero, { minItems: 4, maxItems: 4 })),
  /** Number of bytes of `/Contents`, including padding. */
  contentsSize: CountFromZero,
  /**
   * Bytes that the signature covers. `whole-revision`: all bytes of a revision except `/Contents`; `partial`: fewer
   * bytes, or a revision whose last bytes are missing; `malformed`: the byte range contradicts the structure of the
   * file. Null = not signed.
   */
  coverage: Nullable(Type.Enum(['whole-revision', 'partial', 'malformed'])),
  revisionIndex: Nullable(CountFromZero),
  signer: Type.Object({
    name: NullableText,
    reason: NullableText,
    location: NullableText,
    contactInfo: NullableText,
    signedAt: Nullable(IsoDate),
  }),
  docMdp: Nullable(DocMdpPermission),
  /** True if the catalog names this signature as the certification (`/Perms /DocMDP`). */
  catalogCertification: Type.Boolean(),
  fieldMdp: Nullable(FieldLock),
  /** Lock of the field, `/Lock`. */
  lock: Nullable(FieldLock),
  seedValue: Nullable(SeedValue),
  /** Integrity of the signed bytes and trust in the signer; null = not signed. */
  verification: Nullable(SignatureVerification),
})
export type Signature = Static<typeof Signature>
