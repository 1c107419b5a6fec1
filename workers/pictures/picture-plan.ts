// Computes the mapping of page points to pixels: part of the page, rotation, scale, and the resulting size in pixels.
// Pure arithmetic, so that equal requests give equal sizes.
import type { Matrix } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PageBox } from '../contract/page-box.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { QuarterTurn } from '../contract/quarter-turn.js'
import { mupdf } from '../engine/library.js'
import { limits } from '../limits.js'

export interface View {
  /** Width of the picture in pixels, or pixels per point. */
  readonly viewport:
    | { readonly kind: 'width'; readonly width: number }
    | { readonly kind: 'scale'; readonly scale: number }
  /** Part of the page, in page space; undefined = the whole page. */
  readonly target: PageBox | undefined
  /** Clockwise rotation relative to the unrotated page. */
  readonly rotation: QuarterTurn
}

export interface PicturePlan {
  readonly width: number
  readonly height: number
  /** Matrix from the file's user space to pixels. */
  readonly matrix: Matrix
  /** Clockwise rotation of the page in the picture. */
  readonly rotation: QuarterTurn
  /** Pixels per point. */
  readonly scale: number
}

const turns: Readonly<Record<QuarterTurn, (width: number, height: number) => Matrix>> = {
  0: () => [1, 0, 0, 1, 0, 0],
  90: (_width, height) => [0, 1, -1, 0, height, 0],
  180: (width, height) => [-1, 0, 0, -1, width, height],
  270: (width) => [0, -1, 1, 0, 0, width],
}

export function planPicture(crop: PdfRect, view: View, pixelsMax: number): PicturePlan {
  const page = { x: 0, y: 0, width: crop.right - crop.left, height: crop.top - crop.bottom }
  const { x, y, width: targetWidth, height: targetHeight } = view.target ?? page
  const isSideways = view.rotation % 180 !== 0
  const [drawnWidth, drawnHeight] = isSideways ? [targetHeight, targetWidth] : [targetWidth, targetHeight]
  const scale =
    view.viewport.kind === 'width' ? Math.max(1, Math.round(view.viewport.width)) / drawnWidth : view.viewport.scale
  const width = pixels(drawnWidth * scale)
  const height = pixels(drawnHeight * scale)
  refuseTooLarge(width, height, pixelsMax)
  const toTarget: Matrix = [1, 0, 0, -1, -crop.left - x, crop.top - y]
  const turned = mupdf.Matrix.concat(toTarget, turns[view.rotation](targetWidth, targetHeight))
  const matrix = mupdf.Matrix.concat(turned, mupdf.Matrix.scale(scale, scale))
  return { width, height, matrix, rotation: view.rotation, scale }
}

const pixels = (length: number): number => Math.max(1, Math.round(length))

/** Throws for a picture above the limit; the comparison also refuses NaN and infinity. */
function refuseTooLarge(width: number, height: number, pixelsMax: number): void {
  const isWithin = width <= limits.sideMax && height <= limits.sideMax && width * height <= pixelsMax
  if (isWithin) return
  throw new JobRefusal(
    'InvalidArg',
    `The picture would be ${width} by ${height} pixels; the limit is ${pixelsMax} in all and ${limits.sideMax} per side`,
    {
      pixelsMax,
      sideMax: limits.sideMax,
    },
  )
}
