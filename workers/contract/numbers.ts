// Schemas of whole numbers: `CountFromOne` and `CountFromZero`, which the wire contract calls `int+` and `int0`.
import { Type } from 'typebox'

export const CountFromOne = Type.Integer({ minimum: 1 })
export const CountFromZero = Type.Integer({ minimum: 0 })
export const Opacity = Type.Number({ minimum: 0, maximum: 1 })
export const Length = Type.Number({ minimum: 0 })
