// A deletion under way: readers see nothing of its subject any more, and everything of it is being removed, then erased from the
// files of the store. The row is the last thing that goes.
import { type Static, Type } from 'typebox'

export const SweepRow = Type.Object({
  tenant: Type.String(),
  /** Null = the whole tenant. */
  document: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer({ minimum: 0 }),
})
export type SweepRow = Static<typeof SweepRow>
