// State of a layer: its base version and the number of edits over it.
import { type Static, Type } from 'typebox'
import { CountFromZero } from '../numbers.js'

export const VersionRef = Type.Object({
  baseSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  editsVersion: CountFromZero,
})
export type VersionRef = Static<typeof VersionRef>
