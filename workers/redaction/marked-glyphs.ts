// Decides which glyphs lie under marks.
import type { Matrix } from 'mupdf'
import { boundsOf } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { type Corners, placedBounds, type Region, transformed } from './region.js'
import type { RemovedWhole } from './removed-counts.js'
import type { FontMeasures, MeasuredCode } from './text/font-measures.js'
import type { GlyphJudge } from './text/text-sieve.js'

/** Minimum area in square points: text scaled to nothing can still be extracted from the file. */
const flatArea = 1e-6

/** Distance in points that the ink of a drawn glyph may reach under a mark, as that of every drawing. */
const edge = 0.1

export class MarkedGlyphs implements GlyphJudge {
  /** Places of glyphs under marks that the engine draws with paths and pictures. */
  readonly drawings: PdfRect[] = []
  readonly #wellInside: Region

  constructor(
    readonly measures: FontMeasures,
    private readonly region: Region,
    private readonly removed: RemovedWhole,
  ) {
    this.#wellInside = region.inset(edge)
  }

  readonly isTaken = ({ boxes, extent, isDrawing }: MeasuredCode, place: Matrix): boolean => {
    if (this.region.partsNear(placedBounds(extent, place)).length === 0) return false
    const placed = boxes.map((box) => box.map((corner) => transformed(corner, place)))
    const isTaken = areUnder(placed, this.region) || (isDrawing && areUnder(placed, this.#wellInside))
    const bounds = isTaken && isDrawing ? boundsOf(placed.flat()) : undefined
    if (bounds !== undefined) this.drawings.push(bounds)
    return isTaken
  }
}

/** Returns whether a glyph with these boxes is under the region; the first box is its body. */
export const areUnder = (boxes: readonly Corners[], region: Region): boolean =>
  boxes.some((box) => region.touches(box)) ||
  (boxes[0] !== undefined && isFlat(boxes[0]) && boxes[0].some((point) => region.has(point)))

function isFlat(corners: Corners): boolean {
  const { left = 0, bottom = 0, right = 0, top = 0 } = boundsOf(corners) ?? {}
  return (right - left) * (top - bottom) < flatArea
}
