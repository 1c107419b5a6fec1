// Boxes that are moved as a whole or by a corner, on pages that may be turned on the screen.
import type { Box } from './page-space.js'

export interface Step {
  readonly x: number
  readonly y: number
}

export const corners = ['nw', 'ne', 'sw', 'se'] as const
export type Grip = (typeof corners)[number] | 'all'

/** Sides do not become shorter, and this much of a box stays on the page. */
const smallest = 4
const visible = 12

/** Returns the box after a corner of it, or all of it, was moved. */
export function moved(box: Box, grip: Grip, { x, y }: Step, page: Pick<Box, 'width' | 'height'>): Box {
  if (grip === 'all') {
    return {
      ...box,
      x: between(box.x + x, visible - box.width, page.width - visible),
      y: between(box.y + y, visible - box.height, page.height - visible),
    }
  }
  const width = Math.max(smallest, grip.endsWith('e') ? box.width + x : box.width - x)
  const height = Math.max(smallest, grip.startsWith('s') ? box.height + y : box.height - y)
  return {
    x: grip.endsWith('e') ? box.x : box.x + box.width - width,
    y: grip.startsWith('s') ? box.y : box.y + box.height - height,
    width,
    height,
  }
}

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** Returns a step on the screen as a step on the page, which is turned by so many quarters clockwise. */
export function stepOnPage({ x, y }: Step, quarters: number): Step {
  const steps = [
    { x, y },
    { x: y, y: -x },
    { x: -x, y: -y },
    { x: -y, y: x },
  ]
  return steps[quarters % 4] ?? { x, y }
}

/** Corner that is at the lower right on the screen, for each turn of the page. */
const lowerRight = ['se', 'ne', 'nw', 'sw'] as const
export const lowerRightOn = (quarters: number): Grip => lowerRight[quarters % 4] ?? 'se'

export const isSame = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height
