// Computes what a measuring annotation measures, and formats it with its number formats (ISO 32000-2, 12.9.2).
import type { Measurement } from '../../contract/measurement.js'
import type { NumberFormat } from '../../contract/number-format.js'
import { lengthOf, minus, type Point } from './geometry.js'

type Measured = Measurement | null

/** Returns undefined if there is no scale. */
export function writtenLength(measure: Measured, points: readonly Point[]): string | undefined {
  if (measure?.subtype !== 'rectilinear') return undefined
  let length = 0
  for (const [index, point] of points.entries())
    length += index === 0 ? 0 : lengthOf(minus(point, points[index - 1] ?? point))
  return written(length * scaleOf(measure.x), measure.distance)
}

export function writtenArea(measure: Measured, corners: readonly Point[]): string | undefined {
  if (measure?.subtype !== 'rectilinear') return undefined
  let area = 0
  for (const [index, { x, y }] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] ?? { x, y }
    area += x * next.y - next.x * y
  }
  const scaleX = scaleOf(measure.x)
  const scaleY = measure.y === undefined ? scaleX : scaleOf(measure.y) * (measure.cyx ?? 1)
  return written((Math.abs(area) / 2) * scaleX * scaleY, measure.area)
}

const scaleOf = (formats: readonly NumberFormat[]): number => formats[0]?.conversion ?? 1

/** Formats a value: each format but the last one writes the whole units and passes on the remainder (`3 ft 6 in`). */
function written(value: number, formats: readonly NumberFormat[]): string | undefined {
  const parts: string[] = []
  let rest = value
  for (const [index, format] of formats.entries()) {
    rest *= format.conversion
    const isLast = index === formats.length - 1
    const shown = isLast ? rest : Math.floor(rest)
    if (isLast || shown > 0) parts.push(labelled(isLast ? fractionOf(shown, format) : String(shown), format))
    rest -= shown
  }
  return parts.length === 0 ? undefined : parts.join(' ')
}

type Fraction = NonNullable<NumberFormat['fraction']>

const fractions: Readonly<Record<Fraction, (value: number, format: NumberFormat) => string>> = {
  decimal: (value, { precision = 100, fixed = false, decimal = '.' }) => {
    const digits = Math.max(0, Math.round(Math.log10(precision)))
    const text = value.toFixed(digits)
    return (fixed ? text : String(Number(text))).replace('.', decimal)
  },
  fraction: (value, { precision = 16 }) => {
    const whole = Math.floor(value)
    const over = Math.round((value - whole) * precision)
    return over === 0 ? String(whole) : over === precision ? String(whole + 1) : `${whole} ${over}/${precision}`
  },
  round: (value) => String(Math.round(value)),
  truncate: (value) => String(Math.trunc(value)),
}

function fractionOf(value: number, format: NumberFormat): string {
  const text = fractions[format.fraction ?? 'decimal'](value, format)
  const { thousands = ',' } = format
  return text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, thousands))
}

function labelled(
  text: string,
  { unit, labelPosition = 'suffix', prefixSpacing = ' ', suffixSpacing = ' ' }: NumberFormat,
) {
  if (unit === '') return text
  return labelPosition === 'prefix' ? `${unit}${prefixSpacing}${text}` : `${text}${suffixSpacing}${unit}`
}
