// Whether something of a picture is left in a region: pixels there must all be the same.
import type { Image, Matrix } from 'mupdf'
import { type Pixels, withPixels } from '../../pdf/engine-memory.js'
import { mupdf } from '../../pdf/library.js'
import { boundsOf, cornersOf, type Point } from '../annotations/drawing/geometry.js'
import { type Region, transformed } from './region.js'

type Pixmap = InstanceType<typeof mupdf.Pixmap>

/** In points: pixels this large are drawings themselves, and one that reaches into the region must be blank. */
const largePixel = 4

export const unitSquare: readonly Point[] = cornersOf({ left: 0, bottom: 0, right: 1, top: 1 })

/** `ctm` places the unit square. */
export function hasPicture(image: Image, ctm: Matrix, region: Region): boolean {
  const bounds = boundsOf(unitSquare.map((corner) => transformed(corner, ctm)))
  if (bounds === undefined || !region.meets(bounds)) return false
  if (image.getImageMask() && areLarge(image, ctm)) return true
  const mask = image.getMask()
  try {
    return differs(image, ctm, region) || (mask !== null && differs(mask, ctm, region))
  } finally {
    mask?.destroy()
  }
}

function areLarge(image: Image, [a, b, c, d]: Matrix): boolean {
  return Math.hypot(a, b) / image.getWidth() > largePixel || Math.hypot(c, d) / image.getHeight() > largePixel
}

function differs(image: Image, ctm: Matrix, region: Region): boolean {
  const pixmap = image.toPixmap()
  try {
    const [width, height] = [pixmap.getWidth(), pixmap.getHeight()]
    // The engine places pictures with their first row at the origin.
    const inPixels = region.through(mupdf.Matrix.invert(ctm)).through([width, 0, 0, height, 0, 0])
    return areLarge(image, ctm) ? !isBlank(pixmap, inPixels) : !isUniform(pixmap, inPixels)
  } finally {
    pixmap.destroy()
  }
}

/** Every pixel of which something is inside has the colour that blanked pixels are given. */
function isBlank(pixmap: Pixmap, region: Region): boolean {
  const blank = pixmap.getColorSpace()?.getType() === 'CMYK' ? 0 : 255
  return withPixels(pixmap, (pixels) => {
    const { samples, stride, components, hasAlpha } = pixels
    const colors = components - (hasAlpha ? 1 : 0)
    for (const { x, y } of pixelsNear(pixels, region)) {
      if (!region.meets({ left: x, bottom: y, right: x + 1, top: y + 1 })) continue
      const at = y * stride + x * components
      for (let one = 0; one < colors; one++) if (samples[at + one] !== blank) return false
    }
    return true
  })
}

function isUniform(pixmap: Pixmap, region: Region): boolean {
  return withPixels(pixmap, (pixels) => {
    const { samples, stride, components } = pixels
    let first: number | undefined
    for (const { x, y } of pixelsNear(pixels, region)) {
      // The whole pixel, and the one beside it: edges may be rounded either way.
      if (!cornersOf({ left: x - 1, bottom: y - 1, right: x + 2, top: y + 2 }).every((point) => region.has(point)))
        continue
      const at = y * stride + x * components
      first ??= at
      for (let one = 0; one < components; one++) if (samples[at + one] !== samples[first + one]) return false
    }
    return true
  })
}

function* pixelsNear({ width, height }: Pixels, region: Region): Generator<Point> {
  for (const corners of region.near({ left: 0, bottom: 0, right: width, top: height })) {
    const { left, bottom, right, top } = boundsOf(corners) ?? { left: 0, bottom: 0, right: 0, top: 0 }
    for (let y = Math.max(0, Math.floor(bottom)); y < Math.min(height, Math.ceil(top)); y++) {
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, Math.ceil(right)); x++) yield { x, y }
    }
  }
}
