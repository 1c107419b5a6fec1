// Compares pictures of a page before and after a redaction, beside the marks. A list of what is drawn says nothing about
// clips, masks and blending; a picture does.
import type { PDFPage } from 'mupdf'
import type { Point } from '../annotations/drawing/geometry.js'
import type { OpenDocument } from '../document/open-document.js'
import { withPixels } from '../engine/engine-memory.js'
import { mupdf } from '../engine/library.js'
import { layersOff, withLayersOn } from '../pages/every-layer.js'

export interface PagePicture {
  readonly pixels: Uint8Array
  readonly width: number
  /** Pixels per point of the device that pages are inspected with, and the place of the first pixel there. */
  readonly scale: number
  readonly start: Point
}

/** Two resolutions in pixels per inch, which place edges differently, and the maximum pixels of a side. */
const resolutions = [37, 61] as const
const sideMax = 1_000
/** Difference of a colour that is visible: edges beside a mark may be smoothed otherwise. */
const visible = 64
const components = 3

export const picturesOf = (document: OpenDocument, page: number): readonly PagePicture[] =>
  withLayersOn(document.pdf, layersOff(document.pdf), () =>
    document.withContent(page, (loaded) => resolutions.map((resolution) => pictureOf(loaded, resolution / 72))),
  )

function pictureOf(page: PDFPage, wanted: number): PagePicture {
  const [left, top, right, bottom] = page.getBounds()
  const scale = Math.min(wanted, sideMax / Math.max(right - left, bottom - top, 1))
  const area = [left, top, right, bottom].map((edge) => Math.round(edge * scale)) as [number, number, number, number]
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, area, false)
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
  try {
    pixmap.clear(255)
    page.runPageContents(device, mupdf.Matrix.scale(scale, scale))
    device.close()
    const { pixels, width } = withPixels(pixmap, ({ samples, width }) => ({ pixels: Uint8Array.from(samples), width }))
    return { pixels, width, scale, start: { x: area[0], y: area[1] } }
  } finally {
    device.destroy()
    pixmap.destroy()
  }
}

/**
 * Returns the place of a pixel that differs; undefined if none does. `mayDiffer`: tells places, with half the size of a
 * pixel around them, that need not be the same.
 */
export function differingPlace(
  before: readonly PagePicture[],
  after: readonly PagePicture[],
  mayDiffer: (place: Point, reach: number) => boolean,
): Point | undefined {
  for (const [index, { pixels, width, scale, start }] of before.entries()) {
    const others = after[index]?.pixels ?? pixels
    for (let at = 0; at < pixels.length; at++) {
      const [value, other] = [pixels[at] ?? 0, others[at] ?? 0]
      if (Math.abs(value - other) <= visible) continue
      if (isAround(value, others, at, width) && isAround(other, pixels, at, width)) continue
      const pixel = Math.floor(at / components)
      const place = {
        x: (start.x + (pixel % width) + 0.5) / scale,
        y: (start.y + Math.floor(pixel / width) + 0.5) / scale,
      }
      if (!mayDiffer(place, 0.5 / scale)) return place
    }
  }
  return undefined
}

/**
 * True if a colour is between those around a pixel: the engine moves glyphs to quarters of a pixel, so that a rounding
 * error may move one by such a quarter.
 */
function isAround(value: number, pixels: Uint8Array, at: number, width: number): boolean {
  let [least, greatest] = [255, 0]
  for (const row of [-1, 0, 1]) {
    for (const column of [-1, 0, 1]) {
      const near = pixels[at + (row * width + column) * components]
      if (near === undefined) continue
      least = Math.min(least, near)
      greatest = Math.max(greatest, near)
    }
  }
  return value >= least - visible && value <= greatest + visible
}
