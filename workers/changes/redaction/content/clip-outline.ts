// Outlines that something is clipped to. What of one lies in a region is replaced by straight lines from where it enters
// to where it leaves: outside, everything shows through it as before, and inside nothing of its shape is left.
import type { Matrix } from 'mupdf'
import { mupdf } from '../../../pdf/library.js'
import type { PdfRect } from '../../../shapes/pdf-rect.js'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import { piecesOutside, type Shape } from '../cutting/pieces.js'
import { Region, transformed } from '../region.js'
import { boundsOfContours, type Contour, closed, writtenPath } from './contours.js'

/** In points. */
const curveTolerance = 0.02
/** Nothing shows through it. */
const nothing = '0 0 0 0 re'

/** `region` is in the space that `ctm` leads to. Undefined = nothing of the outline is in it. */
export function outlineWithout(contours: readonly Contour[], region: Region, ctm: Matrix): string | undefined {
  const bounds = boundsIn(contours, ctm)
  if (bounds === undefined || !region.meets(bounds)) return undefined
  const [a, b, c, d] = ctm
  if (a * d - b * c === 0) return nothing
  const { parts } = new Region(region.near(bounds)).through(mupdf.Matrix.invert(ctm))
  const tolerance = curveTolerance / Math.max(Math.hypot(a, b), Math.hypot(c, d))
  let left = contours
  for (const corners of parts) left = left.flatMap((contour) => shortened(contour, { corners, tolerance }))
  return left.length === 0 ? nothing : writtenPath(left)
}

export function boundsIn(contours: readonly Contour[], ctm: Matrix): PdfRect | undefined {
  const bounds = boundsOfContours(contours)
  return bounds && boundsOf(cornersOf(bounds).map((corner) => transformed(corner, ctm)))
}

function shortened(contour: Contour, shape: Shape): readonly Contour[] {
  const pieces = piecesOutside(closed(contour), shape)
  if (pieces === undefined) return [contour]
  const [first] = pieces
  if (first === undefined) return []
  const edges = pieces.flatMap((piece, index) => {
    const next = pieces[index + 1] ?? first
    return [...piece.edges, { to: next.start }]
  })
  return [{ start: first.start, edges, isClosed: true }]
}
