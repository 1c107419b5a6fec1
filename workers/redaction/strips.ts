// Covers a region with upright boxes: the engine removes everything in the bounding box of a shape, which for a slanted
// shape is far more than the marked area.

import { between, boundsOf, cornersOf, type Point } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { Corners, Region } from './region.js'

/** Height of a strip of a shape, in points. */
const stripHeight = 2
const stripsMax = 32
/** Maximum number of slanted shapes that are divided: each strip is compared with every glyph. */
const dividedMax = 100

export function boxesOf({ parts }: Region): readonly Corners[] {
  let divided = 0
  return parts.flatMap((corners) => {
    const bounds = boundsOf(corners)
    if (bounds === undefined) return []
    if (isUpright(corners) || divided++ >= dividedMax) return [cornersOf(bounds)]
    return stripsOf(corners, bounds)
  })
}

const isUpright = (corners: Corners): boolean =>
  corners.length === 4 &&
  corners.every(({ x, y }, index) => x === corners[(index + 1) % 4]?.x || y === corners[(index + 1) % 4]?.y)

function stripsOf(corners: Corners, { bottom, top }: PdfRect): readonly Corners[] {
  const count = Math.max(1, Math.min(stripsMax, Math.ceil((top - bottom) / stripHeight)))
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index, index + 1].map((strip) => bottom + ((top - bottom) * strip) / count)
    const bounds = boundsOf(betweenHeights(corners, from ?? bottom, to ?? top))
    return bounds === undefined ? [] : cornersOf({ ...bounds, bottom: from ?? bottom, top: to ?? top })
  }).filter(({ length }) => length > 0)
}

/** Returns the corners between two heights, and the intersections of sides with these heights. */
export function betweenHeights(corners: Corners, bottom: number, top: number): readonly Point[] {
  return corners.flatMap((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner
    const crossings = [bottom, top].flatMap((height) => {
      const share = (height - corner.y) / (next.y - corner.y)
      return share > 0 && share < 1 ? [between(corner, next, share)] : []
    })
    return corner.y >= bottom && corner.y <= top ? [corner, ...crossings] : crossings
  })
}
