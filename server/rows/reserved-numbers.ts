// Row of the object numbers that one caller reserved in a layer, and has not used.
import { type Static, Type } from 'typebox'

const Count = Type.Integer({ minimum: 1 })

export const ReservedNumbersRow = Type.Object({
  /** Head version of the document at the reservation; another version numbers its objects anew. */
  version: Count,
  /** Oldest reservation first. */
  ranges: Type.Array(Type.Object({ first: Count, count: Count })),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
})
export type ReservedNumbersRow = Static<typeof ReservedNumbersRow>
