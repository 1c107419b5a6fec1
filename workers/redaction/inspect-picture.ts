// Determines whether part of a picture remains in a region: every pixel that reaches into the region must look blank.
import type { Image, Matrix } from 'mupdf'
import { boundsOf, cornersOf, outset, type Point } from '../annotations/drawing/geometry.js'
import { withPixels } from '../engine/engine-memory.js'
import { mupdf } from '../engine/library.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { PixelArea } from './pictures/pixel-area.js'
import { type Region, transformed } from './region.js'

/** Tolerance in pixels: the engine computes positions in single precision. */
const tolerance = 0.12

export const unitSquare: readonly Point[] = cornersOf({ left: 0, bottom: 0, right: 1, top: 1 })

/** Assumed thickness in points of a picture that is scaled to nothing: its samples are in the file all the same. */
const thickness = 0.1

export function isPictureUnder(ctm: Matrix, region: Region): boolean {
  const corners = unitSquare.map((corner) => transformed(corner, ctm))
  if (!isFlat(ctm)) return region.touches(corners)
  const bounds = boundsOf(corners)
  return bounds !== undefined && region.meets(outset(bounds, thickness))
}

export const isFlat = ([a, b, c, d]: Matrix): boolean => !(Math.abs(a * d - b * c) > 0)

/**
 * Returns whether part of the picture remains. `ctm` maps the unit square to the page. `blanks`: colours of blanked
 * pictures.
 */
export function hasPicture(image: Image, ctm: Matrix, region: Region, blanks: BlankColors): boolean {
  if (!isPictureUnder(ctm, region)) return false
  if (isFlat(ctm)) return true
  const mask = image.getMask()
  try {
    return differs(image, ctm, region, blanks) || (mask !== null && differs(mask, ctm, region, blanks))
  } finally {
    mask?.destroy()
  }
}

function differs(image: Image, ctm: Matrix, region: Region, blanks: BlankColors): boolean {
  const pixmap = image.toPixmap()
  try {
    return withPixels(pixmap, (pixels) => {
      const { width, height } = pixels
      // The engine's image space has the first row at the origin.
      const inPixels = region.through(mupdf.Matrix.invert(ctm)).through([width, 0, 0, height, 0, 0])
      return !blanks.cover(pixels, PixelArea.under(inPixels, pixels, tolerance))
    })
  } finally {
    pixmap.destroy()
  }
}
