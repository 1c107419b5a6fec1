// When public ids of one shard were last given up by a deletion. Tokens and version pins count whole seconds, so an id must
// not come back within the second it was given up in: see `server/deletion/retirement.ts`.
import { type Static, Type } from 'typebox'

export const RetirementRow = Type.Object({
  /** Milliseconds since 1970. */
  at: Type.Integer({ minimum: 0 }),
})
export type RetirementRow = Static<typeof RetirementRow>
