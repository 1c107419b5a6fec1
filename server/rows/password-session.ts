// Row of a viewer session with a password: reads of an encrypted document that a document token may make until it ends; and
// the row of a share, which only lists the sessions of its visitors.
import { type Static, Type } from 'typebox'

export const PasswordSessionRow = Type.Object({
  /** Password in UTF-8, sealed with the key of the deployment, in base64; empty in the row of a share. */
  sealed: Type.String(),
  openedAs: Type.Enum(['user', 'owner']),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
  /** In the row of a token or share: ids of the rows of its sessions, oldest first. */
  sessions: Type.Optional(Type.Array(Type.String())),
  /** Bytes with which the row is counted. */
  rowBytes: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type PasswordSessionRow = Static<typeof PasswordSessionRow>
