// Draws content everywhere except in a region by clipping around the region. Used only for content that reveals nothing
// about the region: a surrounding area or a gradient.
import type { PDFObject } from 'mupdf'
import { cornersOf, outset, type Point } from '../../annotations/drawing/geometry.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { entry, integerOf } from '../../objects/values.js'
import { areaWithout } from '../cutting/cut-area.js'
import type { Shape } from '../cutting/outline-pieces.js'
import { type Contour, writtenPath } from './contours.js'

/**
 * Axial and radial shadings (ISO 32000-2, 8.7.4.5), whose colours depend on one parameter only. Meshes can draw
 * pictures.
 */
const gradientTypes = new Set([2, 3])

const origin: Point = { x: 0, y: 0 }

export const isGradient = (shading: PDFObject): boolean =>
  gradientTypes.has(integerOf(entry(shading, 'ShadingType')) ?? 0)

/** Returns the operators; undefined if the clip would be too large to write. `bounds`: bounding box of the drawing. */
export function drawnOutside(text: string, bounds: PdfRect, shapes: readonly Shape[]): string | undefined {
  const { left, bottom, right, top } = bounds
  const [start = origin, ...corners] = cornersOf(outset(bounds, 1 + (right - left + top - bottom) / 10))
  const edges = [...corners, start].map((to) => ({ to }))
  let clip: readonly Contour[] | undefined = [{ start, edges, isClosed: true }]
  for (const shape of shapes) clip &&= areaWithout(clip, shape, false)
  return clip && ['q', writtenPath(clip), 'W n', text, 'Q'].join('\n')
}
