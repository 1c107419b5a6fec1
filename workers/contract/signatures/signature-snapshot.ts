// Schema of all signature fields of a file, its revisions and the protection that follows from them.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { DocumentProtection } from './protection.js'
import { Signature } from './signature.js'

export const Revision = Type.Object({
  index: CountFromZero,
  /** End of the revision, which consists of the bytes from 0 to here. */
  end: CountFromZero,
  /** Offset of its newest cross-reference section. */
  xrefOffset: CountFromZero,
  /** Signature that covers exactly this revision. */
  signatureIndex: Nullable(CountFromZero),
})
export type Revision = Static<typeof Revision>

export const SignatureSnapshot = Type.Object({
  /**
   * False if the chain of cross-reference sections cannot be followed strictly; nothing is certain about such a file.
   */
  chainValid: Type.Boolean(),
  /** Reason why nothing is certain, and the offset in the file that it is about; null if `chainValid`. */
  chainProblem: Nullable(Type.Object({ reason: Type.String(), offset: Nullable(CountFromZero) })),
  revisions: Type.Array(Revision),
  signatures: Type.Array(Signature),
  protection: DocumentProtection,
})
export type SignatureSnapshot = Static<typeof SignatureSnapshot>
