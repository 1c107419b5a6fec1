// Positions on a page: in page space (points from the top left corner of the crop box, unrotated), as displayed by a
// reader, and in pixels of a picture.
import type { PixelBox } from './judges/pictures.js'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Sheet {
  readonly size: { readonly width: number; readonly height: number }
  readonly rotation: number
}

/** Padding around a box in points, because lines are drawn around it as well. */
const paddingPoints = 4

export function grown({ x, y, width, height }: Box, by = paddingPoints): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

export function meet(one: Box, other: Box): boolean {
  const across = one.x < other.x + other.width && other.x < one.x + one.width
  return across && one.y < other.y + other.height && other.y < one.y + one.height
}

/** Converts a box to the displayed page, rotated clockwise. */
export function asSeen({ x, y, width, height }: Box, { size, rotation }: Sheet): Box {
  if (rotation === 90) return { x: size.height - y - height, y: x, width: height, height: width }
  if (rotation === 180) return { x: size.width - x - width, y: size.height - y - height, width, height }
  if (rotation === 270) return { x: y, y: size.width - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** Converts a displayed box back to page space. */
export function onPage(seen: Box, { size, rotation }: Sheet): Box {
  const isAcross = rotation === 90 || rotation === 270
  const turnedSize = isAcross ? { width: size.height, height: size.width } : size
  return asSeen(seen, { size: turnedSize, rotation: (360 - rotation) % 360 })
}

export function inPixels(box: Box, sheet: Sheet, picture: { readonly width: number }): PixelBox {
  const seen = asSeen(box, sheet)
  const isAcross = sheet.rotation === 90 || sheet.rotation === 270
  const scale = picture.width / (isAcross ? sheet.size.height : sheet.size.width)
  return {
    left: Math.floor(seen.x * scale) - 1,
    top: Math.floor(seen.y * scale) - 1,
    right: Math.ceil((seen.x + seen.width) * scale) + 1,
    bottom: Math.ceil((seen.y + seen.height) * scale) + 1,
  }
}

/** Returns the central half of the box. */
export function middleOf({ x, y, width, height }: Box): Box {
  return { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 }
}
