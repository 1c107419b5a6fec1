// Paths that an appearance stream paints. They can hide the content below, or be the outlines of characters.

import type { StrictStream } from '../../../strict-reader/values.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf } from '../compare/slot.js'
import type { Operand, Operation } from './content-operations.js'
import { type Box, coveredShare } from './covered-share.js'

export interface PaintedPaths {
  /** Returns the painted share of the box, from 0 to 1, without a border of this width in units of the appearance. */
  readonly covered: (borderWidth: number) => number
  /** True if only the background and the border of the box are painted: rectangles, and lines between its corners. */
  readonly isFrame: boolean
}

const painting = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's'])
const curving = new Set(['c', 'v', 'y'])
/** Distance from a corner in units of the appearance, for the width of a border. */
const cornerMax = 4

export function paintedPaths(
  comparison: Comparison,
  stream: StrictStream,
  operations: readonly Operation[],
): PaintedPaths {
  const [left = 0, bottom = 0, right = 0, top = 0] = itemsOf(comparison.after.resolve(entryOf(stream, 'BBox'))).map(
    (edge) => Number(comparison.after.resolve(edge)),
  )
  const box = {
    left: Math.min(left, right),
    bottom: Math.min(bottom, top),
    right: Math.max(left, right),
    top: Math.max(bottom, top),
  }
  return {
    covered: (borderWidth) => coveredShare(box, operations, borderWidth),
    isFrame: isFrame(box, operations),
  }
}

function isFrame({ left, bottom, right, top }: Box, operations: readonly Operation[]): boolean {
  const isCorner = (x = 0, y = 0): boolean =>
    Math.min(Math.abs(x - left), Math.abs(x - right)) <= cornerMax &&
    Math.min(Math.abs(y - bottom), Math.abs(y - top)) <= cornerMax
  const isTransformed = operations.some(({ operator }) => operator === 'cm')
  let isCornered = true
  for (const { operator, operands } of operations) {
    const [x = 0, y = 0, width = 0, height = 0] = operands.map(numberOf)
    if (operator === 're') isCornered &&= isCorner(x, y) && isCorner(x + width, y + height)
    else if (operator === 'm' || operator === 'l') isCornered &&= isCorner(x, y)
    else if (curving.has(operator)) isCornered = false
    else if (operator === 'n') isCornered = true
    else if (painting.has(operator)) {
      if (!isCornered || isTransformed) return false
      isCornered = true
    }
  }
  return true
}

const numberOf = (operand: Operand): number => (operand.kind === 'other' ? Number(operand.token) || 0 : 0)
