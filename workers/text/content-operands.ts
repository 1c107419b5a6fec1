// Formats operands of content streams: numbers, strings and colours.
import type { Color } from '../contract/color.js'

/** Number of decimal places: a thousandth of a point is below the resolution of any printer. */
const digits = 3

export const number = (value: number): string => String(Number(value.toFixed(digits)) + 0)

export const numbers = (...values: readonly number[]): string => values.map(number).join(' ')

/** Formats a byte string, one character per byte, as a literal string in plain ASCII (ISO 32000-2, 7.3.4.2). */
export const literal = (bytes: string): string => `(${bytes.replace(/[\\()]|[^ -~]/g, escaped)})`

const escaped = (byte: string): string =>
  /[\\()]/.test(byte) ? `\\${byte}` : `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`

export const fillColor = (color: Color): string => `${numbers(...components(color))} rg`
export const strokeColor = (color: Color): string => `${numbers(...components(color))} RG`

/** Returns red, green and blue from 0 to 1. */
export const components = (color: Color): readonly number[] =>
  [1, 3, 5].map((start) => Number((Number.parseInt(color.slice(start, start + 2), 16) / 255).toFixed(4)))
