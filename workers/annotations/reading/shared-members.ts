// Reads members that several subtypes share.
import type { PDFObject } from 'mupdf'
import type { Border, Colour, Fill, Stroke } from '../../contract/annotations/shared-members.js'
import type { BorderStyle } from '../../contract/border-style.js'
import type { PagePoint } from '../../contract/page-point.js'
import { black, colorOf } from '../../objects/colors.js'
import { lookUp } from '../../objects/look-up.js'
import { readingLimits } from '../../objects/reading-limits.js'
import {
  entry,
  isArray,
  isDictionary,
  nameOf,
  notNegativeOf,
  numberOf,
  numbersOf,
  positiveOf,
} from '../../objects/values.js'
import type { AnnotationSource } from './annotation-source.js'

type WithObject = Pick<AnnotationSource, 'object'>

export const borderStyles: Readonly<Record<string, BorderStyle>> = { S: 'solid', D: 'dashed', B: 'beveled', I: 'inset' }
/** Dash pattern of a dashed style without one (ISO 32000-2, table 168). */
const standardDash: readonly number[] = [3]
/** Maximum number of lengths of one dash pattern. */
const dashesMax = 32

export const opacityOf = ({ object }: WithObject): number =>
  Math.min(1, Math.max(0, numberOf(entry(object, 'CA')) ?? 1))

export function colourOf({ object }: WithObject): Colour {
  return { color: colorOf(entry(object, 'C')) ?? black, opacity: opacityOf({ object }) }
}

/** Reads the border style dictionary, else the older border array, else returns a solid line of one point. */
export function borderOf({ object }: WithObject): Border {
  const style = entry(object, 'BS')
  if (isDictionary(style)) {
    const borderStyle = lookUp(borderStyles, nameOf(entry(style, 'S'))) ?? 'solid'
    const dashes = dashesOf(entry(style, 'D')) ?? standardDash
    return {
      strokeWidth: notNegativeOf(entry(style, 'W')) ?? 1,
      borderStyle,
      dashArray: borderStyle === 'dashed' ? [...dashes] : null,
    }
  }
  const border = entry(object, 'Border')
  if (!isArray(border)) return { strokeWidth: 1, borderStyle: 'solid', dashArray: null }
  const dashes = dashesOf(entry(border, 3))
  const isDashed = dashes !== undefined && dashes.length > 0
  return {
    strokeWidth: notNegativeOf(entry(border, 2)) ?? 1,
    borderStyle: isDashed ? 'dashed' : 'solid',
    dashArray: isDashed ? [...dashes] : null,
  }
}

const dashesOf = (array: PDFObject): readonly number[] | undefined => numbersOf(array, dashesMax)

export const strokeOf = (source: WithObject): Stroke => ({ ...colourOf(source), ...borderOf(source) })

export const fillOf = (source: WithObject): Fill => ({
  ...strokeOf(source),
  interiorColor: colorOf(entry(source.object, 'IC')) ?? null,
})

/** Reads the cloud effect; null if there is none, or one that is too small to be visible. */
export function cloudOf({ object }: WithObject): { cloudyIntensity: number | null } {
  const effect = entry(object, 'BE')
  const isCloudy = nameOf(entry(effect, 'S')) === 'C'
  return { cloudyIntensity: (isCloudy ? positiveOf(entry(effect, 'I')) : undefined) ?? null }
}

/**
 * Reads vertices. PDF 2.0 may have a /Path of lines and curves instead; then they are the end points of its segments.
 */
export function verticesOf({ reading, object, space }: AnnotationSource): PagePoint[] {
  const vertices = reading.numbers(entry(object, 'Vertices'))
  if (vertices !== undefined) return space.toPagePoints(vertices)
  const path = entry(object, 'Path')
  const points: PagePoint[] = []
  const length = isArray(path) ? Math.min(path.length, readingLimits.numbersMax) : 0
  for (let position = 0; position < length; position++) {
    const numbers = reading.numbers(entry(path, position)) ?? []
    points.push(...space.toPagePoints(numbers.slice(-2)))
  }
  return points
}
