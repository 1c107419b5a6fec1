// Row of the object numbers that one caller reserved in a layer, and has not used. A document has two rows of the same
// shape besides: the numbers that were given back, and for each share how many its sessions hold together.
import { type Static, Type } from 'typebox'

const Count = Type.Integer({ minimum: 1 })

export const ReservedNumbersRow = Type.Object({
  /** Head version of the document at the reservation; another version numbers its objects anew. */
  version: Count,
  /** Oldest reservation first. */
  ranges: Type.Array(Type.Object({ first: Count, count: Count })),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
  /**
   * Id of the row that counts what the sessions of the caller's share hold. A release without it drops it, so that the
   * count stays too high until the sessions of the share are over.
   */
  countedIn: Type.Optional(Type.String()),
})
export type ReservedNumbersRow = Static<typeof ReservedNumbersRow>
