// Colours of annotations: one, three or four numbers (ISO 32000-2, table 166), as #rrggbb.
import type { PDFObject } from 'mupdf'
import type { Color } from '../contract/color.js'
import { numbersOf } from './values.js'

export const black: Color = '#000000'

/** Returns the colour; undefined if there is none, or for an empty array, which means transparent. */
export function colorOf(array: PDFObject): Color | undefined {
  return colorOfComponents(numbersOf(array, 5) ?? [])
}

export function colorOfComponents(components: readonly number[]): Color | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = components
  if (components.length === 1) return hexadecimal(first, first, first)
  if (components.length === 3) return hexadecimal(first, second, third)
  if (components.length !== 4) return undefined
  // This is the simple conversion that the standard defines for colours without a profile (10.4.2.4).
  return hexadecimal(1 - first - fourth, 1 - second - fourth, 1 - third - fourth)
}

function hexadecimal(...components: readonly number[]): Color {
  const digits = (component: number): string =>
    Math.round(255 * Math.min(1, Math.max(0, component)))
      .toString(16)
      .padStart(2, '0')
  return `#${components.map(digits).join('')}`
}
