// Wire schemas of reserved object numbers.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'

const Count = Type.Integer({ minimum: 1 })

export const NumbersRequest = Type.Object(
  { count: Type.Integer({ minimum: 1, maximum: limits.reservationMax }) },
  strict,
)

export const ReservedNumbers = Type.Object({
  objectNumbers: Type.Array(Type.Object({ first: Count, count: Count })),
  /** Seconds until the unused numbers are given up, unless the caller reserves or uses some before. */
  expiresIn: Count,
})
