// Regions that an annotation states by its rectangle alone: their quads are one, the rectangle.
import type { PageBox } from '../contract/page-box.js'
import type { PageQuad } from '../contract/page-quad.js'
import { tidy } from '../document/page-space.js'
import type { Members } from './written-members.js'

interface Region {
  readonly rect: PageBox
  readonly quadPoints: readonly PageQuad[]
}

/** Tolerance in points, for the loss of single precision. */
const grain = 0.01

export function quadOfBox({ x, y, width, height }: PageBox): PageQuad {
  const [right, bottom] = [tidy(x + width), tidy(y + height)]
  return {
    upperLeft: { x, y },
    upperRight: { x: right, y },
    lowerLeft: { x, y: bottom },
    lowerRight: { x: right, y: bottom },
  }
}

/** True if the region is the rectangle, so that it needs no quads of its own. */
export function isRegionOfRect({ rect, quadPoints }: Region): boolean {
  const [quad, ...others] = quadPoints
  if (quad === undefined || others.length > 0) return false
  const whole = quadOfBox(rect)
  return corners.every(
    (corner) =>
      Math.abs(quad[corner].x - whole[corner].x) < grain && Math.abs(quad[corner].y - whole[corner].y) < grain,
  )
}

const corners = ['upperLeft', 'upperRight', 'lowerLeft', 'lowerRight'] as const

/** True for members of an annotation with a region, which were validated one by one before. */
export const isRegion = (members: Members): members is Members & Region =>
  typeof members['rect'] === 'object' && members['rect'] !== null && Array.isArray(members['quadPoints'])

/** Returns the upright box around quads. */
export function boxAroundQuads(quads: readonly PageQuad[]): PageBox {
  const points = quads.flatMap((quad) => corners.map((corner) => quad[corner]))
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: tidy(Math.max(...xs) - x), height: tidy(Math.max(...ys) - y) }
}
