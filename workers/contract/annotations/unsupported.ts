// Contract of annotations whose subtype has no contract of its own: media, printer's marks, private subtypes.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { subtypeContract } from './subtype-contract.js'

export const Unsupported = subtypeContract({
  subtype: 'unsupported',
  name: null,
  members: {
    /** Number of the subtype in the engine; 0 if the engine does not know it. */
    rawSubtypeCode: CountFromZero,
    rawSubtypeName: Nullable(Type.String()),
  },
  write: null,
})
export type UnsupportedAnnotation = Static<typeof Unsupported.schema>
