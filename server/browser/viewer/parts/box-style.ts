// Place of an element over a page.
import type { Box } from '../engine/page-space.js'

/** `pixels`: pixels per unit of the page. */
export const boxStyle = ({ x, y, width, height }: Box, pixels: number) => ({
  left: `${x * pixels}px`,
  top: `${y * pixels}px`,
  width: `${width * pixels}px`,
  height: `${height * pixels}px`,
})
