// Row of the bytes that one share or document token has stored in a document. What is deleted later is not subtracted: a
// credential has what it may store once.
import { type Static, Type } from 'typebox'

export const StoredByRow = Type.Object({
  bytes: Type.Integer({ minimum: 0 }),
  /** End of the token, in milliseconds since 1970; null for shares, whose rows go with the document. */
  expiresAt: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
})
export type StoredByRow = Static<typeof StoredByRow>
