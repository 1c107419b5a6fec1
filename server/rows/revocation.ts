// Row of a revoked token. It is removed when no token of that id can be valid any more.
import { type Static, Type } from 'typebox'

export const RevocationRow = Type.Object({
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
  createdAt: Type.Integer({ minimum: 0 }),
})
export type RevocationRow = Static<typeof RevocationRow>
