// Schema of the scale of a part of a page, or of a measuring annotation (ISO 32000-2, 12.9).
import { type Static, Type } from 'typebox'
import { NumberFormat } from './number-format.js'
import { PagePoint } from './page-point.js'
import { writtenForm } from './strict.js'

export const Measure = Type.Object({
  subtype: Type.Literal('rectilinear'),
  ratio: Type.Optional(Type.String()),
  x: Type.Array(NumberFormat),
  y: Type.Optional(Type.Array(NumberFormat)),
  distance: Type.Array(NumberFormat),
  area: Type.Array(NumberFormat),
  angle: Type.Optional(Type.Array(NumberFormat)),
  slope: Type.Optional(Type.Array(NumberFormat)),
  origin: Type.Optional(PagePoint),
  cyx: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
})
export type Measure = Static<typeof Measure>

export const Measurement = Type.Union([
  Measure,
  Type.Object({ subtype: Type.Literal('geospatial') }),
  Type.Object({ subtype: Type.Literal('unknown') }),
])
export type Measurement = Static<typeof Measurement>

export const WrittenMeasure = writtenForm(Measure)
export const WrittenMeasurement = writtenForm(Measurement)
