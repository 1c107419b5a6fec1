// Writes values of PDF objects as attributes of XFDF; undefined leaves the attribute out.
import type { PDFObject } from 'mupdf'
import { isoOfPdfDate } from '../../contract/pdf-dates.js'
import { tidy } from '../../document/page-space.js'
import { colorOf } from '../../objects/colors.js'
import { entry, integerOf, nameOf, numberOf, numbersOf, textOf } from '../../objects/values.js'
import { exchangeLimits } from '../exchange-limits.js'
import { flagWords } from './words.js'

export type Attributes = Readonly<Record<string, string | undefined>>

export const numberText = (value: number): string => String(tidy(value))

export const listText = (values: readonly number[]): string => values.map(numberText).join(',')

/** Returns points as `x,y;x,y`; an unpaired last number is dropped. */
export function pointsText(numbers: readonly number[]): string {
  const points: string[] = []
  for (let index = 0; index + 1 < numbers.length; index += 2) points.push(listText(numbers.slice(index, index + 2)))
  return points.join(';')
}

export const numberIn = (object: PDFObject, key: string): string | undefined => {
  const value = numberOf(entry(object, key))
  return value === undefined ? undefined : numberText(value)
}

export const numbersIn = (object: PDFObject, key: string): readonly number[] | undefined =>
  numbersOf(entry(object, key), exchangeLimits.numbersMax)

export const listIn = (object: PDFObject, key: string): string | undefined => {
  const numbers = numbersIn(object, key)
  return numbers === undefined || numbers.length === 0 ? undefined : listText(numbers)
}

export const nameIn = (object: PDFObject, key: string): string | undefined => nameOf(entry(object, key))

export const colorIn = (object: PDFObject, key: string): string | undefined =>
  colorOf(entry(object, key))?.toUpperCase()

/** Returns a date as PDF writes it; undefined for text that is none. */
export function dateIn(object: PDFObject, key: string): string | undefined {
  const text = textOf(entry(object, key))
  return isoOfPdfDate(text) === null ? undefined : text?.trim()
}

export function flagsIn(object: PDFObject): string | undefined {
  const bits = integerOf(entry(object, 'F')) ?? 0
  const words = flagWords.filter((_, place) => ((bits >>> place) & 1) === 1)
  return words.length === 0 ? undefined : words.join(',')
}
