// Paths that an appearance stream paints. They can hide the content below, or be the outlines of characters.

import type { StrictStream } from '../../../strict-reader/values.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf } from '../compare/slot.js'
import type { Operand, Operation } from './content-operations.js'

export interface PaintedPaths {
  /** True if an area larger than a line is filled. */
  readonly isCovering: boolean
  /** True if only the background and the border of the box are painted: rectangles, and lines between its corners. */
  readonly isFrame: boolean
}

const filling = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const painting = new Set([...filling, 'S', 's'])
const curving = new Set(['c', 'v', 'y'])
/** Distance from a corner in units of the appearance, for the width of a border. */
const cornerMax = 4
/** Part of the box that may be filled, with lines that are drawn as rectangles. */
const coveredMax = 0.25

export function paintedPaths(
  comparison: Comparison,
  stream: StrictStream,
  operations: readonly Operation[],
): PaintedPaths {
  const [left = 0, bottom = 0, right = 0, top = 0] = itemsOf(comparison.after.resolve(entryOf(stream, 'BBox'))).map(
    (edge) => Number(comparison.after.resolve(edge)),
  )
  const isCorner = (x = 0, y = 0): boolean =>
    Math.min(Math.abs(x - left), Math.abs(x - right)) <= cornerMax &&
    Math.min(Math.abs(y - bottom), Math.abs(y - top)) <= cornerMax
  const isTransformed = operations.some(({ operator }) => operator === 'cm')
  let [isCovering, isFrame] = [false, true]
  let [covered, area, isFree, isCornered] = [0, 0, false, true]
  for (const { operator, operands } of operations) {
    const [x = 0, y = 0, width = 0, height = 0] = operands.map(numberOf)
    if (operator === 're') {
      area += Math.abs(width * height)
      isCornered &&= isCorner(x, y) && isCorner(x + width, y + height)
    } else if (operator === 'm' || operator === 'l' || curving.has(operator)) {
      isFree = true
      isCornered &&= !curving.has(operator) && isCorner(x, y)
    } else if (painting.has(operator) || operator === 'n') {
      if (filling.has(operator)) {
        covered += area
        isCovering ||= isFree || isTransformed
      }
      if (operator !== 'n') isFrame &&= isCornered && !isTransformed
      ;[area, isFree, isCornered] = [0, false, true]
    }
  }
  isCovering ||= covered > coveredMax * Math.abs((right - left) * (top - bottom))
  return { isCovering, isFrame }
}

const numberOf = (operand: Operand): number => (operand.kind === 'other' ? Number(operand.token) || 0 : 0)
