// Quads without an advance. Of a glyph that stands for several characters, the engine gives all but the first one such a
// quad, at the end of the glyph.
import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'

/** Tolerance in points: positions are rounded. */
const tolerance = 0.01

export const isFlat = ({ upperLeft, upperRight, lowerLeft, lowerRight }: PageQuad): boolean =>
  isSame(upperLeft, upperRight) && isSame(lowerLeft, lowerRight)

const isSame = (one: PagePoint, other: PagePoint): boolean => one.x === other.x && one.y === other.y

/** True if a flat quad is at the edge that a glyph ends with. */
export const isAt = ({ upperLeft, lowerLeft }: PageQuad, { upperRight, lowerRight }: PageQuad): boolean =>
  isNear(upperLeft, upperRight) && isNear(lowerLeft, lowerRight)

const isNear = (one: PagePoint, other: PagePoint): boolean => Math.hypot(one.x - other.x, one.y - other.y) <= tolerance
