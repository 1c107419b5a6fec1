// Wire schemas and headers of reserved object numbers.
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

/** Headers of a write that reserves numbers, see `top-up.ts`. */
export const topUpHeaders = {
  /** Header of the request: how many numbers to reserve. */
  wanted: 'EmbedPDF-Reserve-Object-Numbers',
  /** Header of the response: `100-131, 140-140`, both ends included. */
  reserved: 'EmbedPDF-Object-Numbers',
} as const
