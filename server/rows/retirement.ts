// Time of the last deletion that released public ids of a shard. Tokens and version pins have a resolution of a second,
// so an id must not be reused within the second of its release: see `server/deletion/retirement.ts`.
import { type Static, Type } from 'typebox'

export const RetirementRow = Type.Object({
  /** Milliseconds since 1970. */
  at: Type.Integer({ minimum: 0 }),
})
export type RetirementRow = Static<typeof RetirementRow>
