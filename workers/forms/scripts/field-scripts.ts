// Interprets scripts of a field that are one of the standard forms: how its value is formatted, which values are
// valid, and how it is calculated from others.
import type { PDFObject } from 'mupdf'
import type { Color } from '../../contract/color.js'
import type { Reading } from '../../document/reading.js'
import { lookUp } from '../../objects/look-up.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, isMissing, nameOf } from '../../objects/values.js'
import { dateFormats, dateFrom, dateText, timeFormats, timeFrom } from './dates.js'
import { numberFrom, numberText } from './numbers.js'
import { maskProblem, specialProblem, specialText } from './special-texts.js'
import { type ScriptValue, type StandardCall, standardCall } from './standard-call.js'

export interface ShownText {
  readonly text: string
  /** Colour set by the format: negative amounts in red. */
  readonly color?: Color
}

/** Returns the call in a script; undefined if there is no script, or if it is none of the standard forms. */
function callOf(reading: Reading, field: PDFObject, event: 'K' | 'F' | 'V' | 'C'): StandardCall | undefined {
  const action = entry(field, 'AA', event)
  if (nameOf(entry(action, 'S')) !== 'JavaScript' || !isMissing(entry(action, 'Next'))) return undefined
  const script = reading.longText(entry(action, 'JS'), readingLimits.scriptBytesMax)
  return script === undefined ? undefined : standardCall(script)
}

const red: Color = '#ff0000'
const numberAt = ({ values }: StandardCall, place: number): number => {
  const value = values[place]
  return typeof value === 'number' ? value : 0
}
const textAt = ({ values }: StandardCall, place: number): string => {
  const value = values[place]
  return typeof value === 'string' ? value : ''
}
const isAt = ({ values }: StandardCall, place: number): boolean => values[place] === true

type Format = (value: string, call: StandardCall) => ShownText | undefined

/** Formatters by function name. Values that cannot be formatted are shown unchanged. */
const formats: Readonly<Record<string, Format>> = {
  AFNumber_Format: formatNumber,
  AFPercent_Format: (value, call) => {
    const amount = numberFrom(value, numberAt(call, 1))
    if (amount === undefined) return undefined
    const text = numberText(amount * 100, numberAt(call, 0), numberAt(call, 1))
    const signed = amount < 0 ? `-${text}` : text
    return { text: isAt(call, 2) ? `%${signed}` : `${signed}%` }
  },
  AFDate_Format: (value, call) => formatDate(value, dateFormats[numberAt(call, 0)]),
  AFDate_FormatEx: (value, call) => formatDate(value, textAt(call, 0)),
  AFTime_Format: (value, call) => shownTime(value, timeFormats[numberAt(call, 0)]),
  AFTime_FormatEx: (value, call) => shownTime(value, textAt(call, 0)),
  AFSpecial_Format: (value, call) => textIn(specialText(value, numberAt(call, 0))),
}

/**
 * Arguments: decimals, separators, style of negative amounts, (unused), currency, whether the currency precedes the
 * number.
 */
function formatNumber(value: string, call: StandardCall): ShownText | undefined {
  const amount = numberFrom(value, numberAt(call, 1))
  if (amount === undefined) return undefined
  const digits = numberText(amount, numberAt(call, 0), numberAt(call, 1))
  const text = isAt(call, 5) ? `${textAt(call, 4)}${digits}` : `${digits}${textAt(call, 4)}`
  const isNegative = amount < 0 && /[1-9]/.test(digits)
  if (!isNegative) return { text }
  const style = numberAt(call, 2)
  const shown = style === 2 || style === 3 ? `(${text})` : style === 1 ? text : `-${text}`
  return style === 1 || style === 3 ? { text: shown, color: red } : { text: shown }
}

const textIn = (text: string | undefined): ShownText | undefined => (text === undefined ? undefined : { text })

function shownTime(value: string, format: string | undefined): ShownText | undefined {
  const time = timeFrom(value)
  return format === undefined || format === '' || time === undefined ? undefined : { text: dateText(time, format) }
}

function formatDate(value: string, format: string | undefined): ShownText | undefined {
  if (format === undefined || format === '') return undefined
  const date = dateFrom(value, format)
  return date === undefined ? undefined : { text: dateText(date, format) }
}

export function shownText(reading: Reading, field: PDFObject, value: string): ShownText {
  const call = value === '' ? undefined : callOf(reading, field, 'F')
  return (call === undefined ? undefined : lookUp(formats, call.name)?.(value, call)) ?? { text: value }
}

/** Returns why a value is invalid; undefined = it is valid. */
type Check = (value: string, call: StandardCall) => string | undefined

const checks: Readonly<Record<string, Check>> = {
  AFNumber_Keystroke: (value, call) => numberProblem(value, numberAt(call, 1)),
  AFPercent_Keystroke: (value, call) => numberProblem(value, numberAt(call, 1)),
  AFDate_Keystroke: (value, call) => dateProblem(value, dateFormats[numberAt(call, 0)]),
  AFDate_KeystrokeEx: (value, call) => dateProblem(value, textAt(call, 0)),
  AFTime_Keystroke: (value) => (timeFrom(value) === undefined ? 'must be a time like 14:30 or 2:30 pm' : undefined),
  AFSpecial_Keystroke: (value, call) => specialProblem(value, numberAt(call, 0)),
  AFSpecial_KeystrokeEx: (value, call) => maskProblem(value, textAt(call, 0)),
  AFRange_Validate: (value, call) => {
    const amount = numberFrom(value)
    if (amount === undefined) return undefined
    const least = isAt(call, 0) ? numberAt(call, 1) : undefined
    const greatest = isAt(call, 2) ? numberAt(call, 3) : undefined
    const isInside = (least === undefined || amount >= least) && (greatest === undefined || amount <= greatest)
    return isInside ? undefined : `must be ${rangeText(least, greatest)}`
  },
}

const numberProblem = (value: string, separators: number): string | undefined =>
  numberFrom(value, separators) === undefined ? 'must be a number' : undefined

const dateProblem = (value: string, format: string | undefined): string | undefined =>
  format === undefined || format === '' || dateFrom(value, format) !== undefined
    ? undefined
    : `must be a date like ${format}`

function rangeText(least: number | undefined, greatest: number | undefined): string {
  if (least === undefined) return `at most ${greatest}`
  return greatest === undefined ? `at least ${least}` : `from ${least} to ${greatest}`
}

/** Returns the problem of a value; undefined if it is valid according to the field's standard scripts. */
export function valueProblem(reading: Reading, field: PDFObject, value: string): string | undefined {
  if (value === '') return undefined
  return problemOn('K', { reading, field, value }) ?? problemOn('V', { reading, field, value })
}

/** Returns the problem of a calculated value, which nobody typed. */
export const rangeProblem = (reading: Reading, field: PDFObject, value: string): string | undefined =>
  value === '' ? undefined : problemOn('V', { reading, field, value })

interface CheckedScript {
  readonly reading: Reading
  readonly field: PDFObject
  readonly value: string
}

function problemOn(event: 'K' | 'V', { reading, field, value }: CheckedScript): string | undefined {
  const call = callOf(reading, field, event)
  return call === undefined ? undefined : lookUp(checks, call.name)?.(value, call)
}

export const calculationNames = ['SUM', 'PRD', 'AVG', 'MIN', 'MAX'] as const
export type CalculationName = (typeof calculationNames)[number]

export interface Calculation {
  readonly name: CalculationName
  /** Full names of fields; the name of an ancestor stands for all fields below it. */
  readonly fields: readonly string[]
}

/** Returns `none` if the field is not calculated, `other` for a script that is not understood. */
export function calculationOf(reading: Reading, field: PDFObject): Calculation | 'none' | 'other' {
  if (isMissing(entry(field, 'AA', 'C'))) return 'none'
  const call = callOf(reading, field, 'C')
  const name = calculationNames.find((known) => known === call?.values[0])
  if (call?.name !== 'AFSimple_Calculate' || name === undefined) return 'other'
  const fields = namesIn(call.values[1])
  return fields === undefined ? 'other' : { name, fields }
}

/** Parses a list, or one text with commas. */
function namesIn(value: ScriptValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return value.split(',').map((name) => name.trim())
  if (!Array.isArray(value)) return undefined
  const names = value.filter((name) => typeof name === 'string')
  return names.length === value.length ? names : undefined
}
