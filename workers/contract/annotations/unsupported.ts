// An annotation whose subtype has no contract: media, printer's marks, private subtypes.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { subtypeContract } from './subtype-contract.js'

export const Unsupported = subtypeContract({
  subtype: 'unsupported',
  name: null,
  members: {
    /** 0 = a kind no standard knows. */
    rawSubtypeCode: CountFromZero,
    rawSubtypeName: Nullable(Type.String()),
  },
  write: null,
})
export type UnsupportedAnnotation = Static<typeof Unsupported.schema>
