// Measures the ink of a glyph by drawing it: the engine knows no bounds for the glyphs of fonts with thousands of them, as
// those of Chinese and Japanese are.
import type { Font } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import { type Pixels, withPixels } from '../engine/engine-memory.js'
import { mupdf } from '../engine/library.js'

/** Pixels of an em, and the maximum extent of the drawing in ems: a font may claim any bounds. */
const pixels = 64
const extentMax = 4

/** `bounds`: those of the font, in ems. Returns undefined for a glyph without ink, and `bounds` if they are too large. */
export function inkOf(font: Font, glyph: number, bounds: PdfRect): PdfRect | undefined {
  const { left, bottom, right, top } = bounds
  if (right - left > extentMax || top - bottom > extentMax) return bounds
  const area: [number, number, number, number] = [
    Math.floor(left * pixels) - 1,
    Math.floor(bottom * pixels) - 1,
    Math.ceil(right * pixels) + 1,
    Math.ceil(top * pixels) + 1,
  ]
  const drawing = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, area, false)
  try {
    drawing.clear(white)
    draw(drawing, font, glyph)
    const ink = withPixels(drawing, inkIn)
    // A pixel at each side covers what is too thin to change one.
    return (
      ink && {
        left: (area[0] + ink.left - 1) / pixels,
        bottom: (area[1] + ink.bottom - 1) / pixels,
        right: (area[0] + ink.right + 2) / pixels,
        top: (area[1] + ink.top + 2) / pixels,
      }
    )
  } finally {
    drawing.destroy()
  }
}

const white = 255

function draw(drawing: InstanceType<typeof mupdf.Pixmap>, font: Font, glyph: number): void {
  const text = new mupdf.Text()
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, drawing)
  try {
    text.showGlyph(font, [pixels, 0, 0, pixels, 0, 0], glyph, 0)
    device.fillText(text, mupdf.Matrix.identity, mupdf.ColorSpace.DeviceGray, [0], 1)
    device.close()
  } finally {
    device.destroy()
    text.destroy()
  }
}

/** Returns the first and last columns and rows that are not white. */
function inkIn({ samples, width, height, stride }: Pixels): PdfRect | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if ((samples[row * stride + column] ?? white) === white) continue
      left = Math.min(left, column)
      right = Math.max(right, column)
      bottom = Math.min(bottom, row)
      top = row
    }
  }
  return left <= right ? { left, bottom, right, top } : undefined
}
