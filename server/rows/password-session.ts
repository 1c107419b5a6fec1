// Row of a viewer session with a password: reads of an encrypted document that a document token may make until it ends.
import { type Static, Type } from 'typebox'

export const PasswordSessionRow = Type.Object({
  /** Password in UTF-8, sealed with the key of the deployment, in base64. */
  sealed: Type.String(),
  openedAs: Type.Enum(['user', 'owner']),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
  /** In the row of a token: ids of the rows of its windows, oldest first. */
  windows: Type.Optional(Type.Array(Type.String())),
})
export type PasswordSessionRow = Static<typeof PasswordSessionRow>
