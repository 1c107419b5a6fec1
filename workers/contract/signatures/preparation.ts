// Schemas of the request that prepares a signature, and of its answer.
import { type Static, Type } from 'typebox'
import { FormFieldRef } from '../form-field-ref.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { CountFromOne, CountFromZero } from '../numbers.js'
import { writtenForm } from '../strict.js'
import { DocMdpPermission, FieldLock } from './field-lock.js'
import { VersionRef } from './version-ref.js'

export const SubFilter = Type.Enum(['adbe.pkcs7.detached', 'ETSI.CAdES.detached'])
export type SubFilter = Static<typeof SubFilter>

export const SigningDigest = Type.Enum(['sha256', 'sha384', 'sha512'])
export type SigningDigest = Static<typeof SigningDigest>

const SignerText = Type.Optional(Type.String({ maxLength: 1024 }))

/** Body of `doc.signatures.prepare`. */
export const SignaturePrepare = writtenForm(
  Type.Object({
    field: FormFieldRef,
    kind: Type.Optional(Type.Enum(['signature', 'timestamp'])),
    subFilter: Type.Optional(SubFilter),
    digest: Type.Optional(SigningDigest),
    /** Bytes reserved for the CMS. */
    contentsSize: Type.Optional(Type.Integer({ minimum: 1024, maximum: 1024 * 1024 })),
    signer: Type.Optional(
      Type.Object({
        name: SignerText,
        reason: SignerText,
        location: SignerText,
        contactInfo: SignerText,
        signedAt: Type.Optional(IsoDate),
      }),
    ),
    certify: Type.Optional(Type.Object({ permission: DocMdpPermission })),
    lock: Type.Optional(FieldLock),
    resources: Type.Optional(Type.Object({ appearance: Type.String({ minLength: 1 }) })),
  }),
)
export type SignaturePrepare = Static<typeof SignaturePrepare>

export const SignaturePrepared = Type.Object({
  signingId: Type.String(),
  /** Digest in base64. */
  digest: Type.String(),
  algorithm: SigningDigest,
  byteRange: Type.Array(CountFromZero, { minItems: 4, maxItems: 4 }),
  contentsSize: CountFromOne,
  subFilter: Type.String(),
  expectedVersion: VersionRef,
  expiresAt: Nullable(IsoDate),
})
export type SignaturePrepared = Static<typeof SignaturePrepared>
