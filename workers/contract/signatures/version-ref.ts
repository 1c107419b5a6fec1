// State of a layer: its base version and the number of edits over it.
import { type Static, Type } from 'typebox'
import { CountFromZero } from '../numbers.js'

export const VersionRef = Type.Object({
  baseSha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  }),
  editsVersion: CountFromZero,
})
export type VersionRef = Static<typeof VersionRef>
