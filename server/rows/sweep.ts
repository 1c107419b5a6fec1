// Row of a deletion in progress: its subject is hidden from readers while its data is removed, then erased from the
// files of the store. The row is removed last.
import { type Static, Type } from 'typebox'

export const SweepRow = Type.Object({
  tenant: Type.String(),
  /** Null = the whole tenant. */
  document: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer({ minimum: 0 }),
})
export type SweepRow = Static<typeof SweepRow>
