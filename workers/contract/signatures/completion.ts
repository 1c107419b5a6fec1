// Schemas of the requests that complete or cancel a signing, and of their answers.
import { type Static, Type } from 'typebox'
import { MutationMeta } from '../mutation-meta.js'
import { CountFromZero } from '../numbers.js'
import { strict } from '../strict.js'
import { DocumentProtection } from './protection.js'
import { Signature } from './signature.js'
import { VersionRef } from './version-ref.js'

/** Body of `doc.signatures.complete`. */
export const SignatureComplete = Type.Object(
  {
    /**
     * Detached CMS over the prepared digest, in base64, which may contain line breaks. At most 1 MB is reserved for it.
     */
    cms: Type.String({ minLength: 1, maxLength: 2 * 1024 * 1024 }),
    expectedVersion: VersionRef,
  },
  strict,
)
export type SignatureComplete = Static<typeof SignatureComplete>

export const SignatureCompleted = Type.Object({
  status: Type.Enum(['completed', 'already-completed']),
  signature: Signature,
  version: Type.Object({ sha256: Type.String(), byteLength: CountFromZero }),
  previous: VersionRef,
  protection: DocumentProtection,
  meta: MutationMeta,
})
export type SignatureCompleted = Static<typeof SignatureCompleted>

export const SignatureCancelled = Type.Object({
  status: Type.Enum(['cancelled', 'already-completed', 'unknown']),
})
export type SignatureCancelled = Static<typeof SignatureCancelled>
