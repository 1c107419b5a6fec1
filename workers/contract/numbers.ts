// Schemas of whole numbers, named as in the wire contract: `int+` counts from one, `int0` from zero.
import { Type } from 'typebox'

export const CountFromOne = Type.Integer({ minimum: 1 })
export const CountFromZero = Type.Integer({ minimum: 0 })
export const Opacity = Type.Number({ minimum: 0, maximum: 1 })
export const Length = Type.Number({ minimum: 0 })
