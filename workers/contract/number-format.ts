// Schema of the format of a measured number (ISO 32000-2, table 268).
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'
import { Words } from './words.js'

export const NumberFormat = Type.Object({
  unit: Type.String(),
  conversion: Type.Number({ exclusiveMinimum: 0 }),
  fraction: Type.Optional(Words(['decimal', 'fraction', 'round', 'truncate'])),
  precision: Type.Optional(CountFromOne),
  fixed: Type.Optional(Type.Boolean()),
  thousands: Type.Optional(Type.String()),
  decimal: Type.Optional(Type.String()),
  prefixSpacing: Type.Optional(Type.String()),
  suffixSpacing: Type.Optional(Type.String()),
  labelPosition: Type.Optional(Words(['suffix', 'prefix'])),
})
export type NumberFormat = Static<typeof NumberFormat>
