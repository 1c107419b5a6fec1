// Clip outlines without the parts that lie in a region. Straight lines from where the outline enters the region to
// where it leaves replace these parts: outside the region clipping is unchanged, inside nothing of the shape remains.
import type { Matrix } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { mupdf } from '../../engine/library.js'
import { piecesOutside, type Shape } from '../cutting/outline-pieces.js'
import { Region, transformed } from '../region.js'
import { boundsOfContours, type Contour, closed, writtenPath } from './contours.js'

/** Maximum distance in points between a curve and the straight lines that replace it. */
const curveTolerance = 0.02
/** Empty rectangle: a clip path that hides everything. */
const nothing = '0 0 0 0 re'

/**
 * Returns the outline without its parts in the region; undefined if no part of it is there. `region` is in the
 * coordinate space that `ctm` maps to.
 */
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
