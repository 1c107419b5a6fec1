// A token that is refused although it has not expired. The row goes when no token of that id can be good any more.
import { type Static, Type } from 'typebox'

export const RevocationRow = Type.Object({
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
  createdAt: Type.Integer({ minimum: 0 }),
})
export type RevocationRow = Static<typeof RevocationRow>
