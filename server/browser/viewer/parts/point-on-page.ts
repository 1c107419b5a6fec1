// Places on a page where the pointer is, however the page is turned on the screen.
import type { Point } from '../engine/new-annotations.js'

interface Pointer {
  readonly clientX: number
  readonly clientY: number
}

/** Returns the place in pixels from the top left corner of the page as it is without its turn, in quarters clockwise. */
export function pointOnPage(page: Element, { clientX, clientY }: Pointer, quarters: number): Point {
  const { left, right, top, bottom } = page.getBoundingClientRect()
  switch (quarters % 4) {
    case 1:
      return { x: clientY - top, y: right - clientX }
    case 2:
      return { x: right - clientX, y: bottom - clientY }
    case 3:
      return { x: bottom - clientY, y: clientX - left }
    default:
      return { x: clientX - left, y: clientY - top }
  }
}
