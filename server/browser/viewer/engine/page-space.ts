// The viewer measures pages in points of paper, the server in units of the page, which are `userUnit` points each.
import type { Rect } from '@embedpdf/models'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const scaled = ({ x, y, width, height }: Box, userUnit: number): Box => ({
  x: x * userUnit,
  y: y * userUnit,
  width: width * userUnit,
  height: height * userUnit,
})

export function rectOf(box: Box, userUnit: number): Rect {
  const { x, y, width, height } = scaled(box, userUnit)
  return { origin: { x, y }, size: { width, height } }
}
