// Decides which glyphs lie under marks.
import type { Matrix } from 'mupdf'
import { between, boundsOf } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { mupdf } from '../engine/library.js'
import { mayTurn } from '../pages/reading-order/logical-order.js'
import { type Corners, placedBounds, type Region, side, transformed } from './region.js'
import type { RemovedWhole } from './removed-counts.js'
import type { FontMeasures, MeasuredCode } from './text/font-measures.js'
import type { GlyphJudge } from './text/text-sieve.js'

/** Minimum area in square points: text scaled to nothing can still be extracted from the file. */
const flatArea = 1e-6

/** Share of the ink of a glyph that a mark covers at least if it was meant to. */
const mostly = 0.5
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

  readonly isTaken = (code: MeasuredCode, place: Matrix): boolean => {
    const { boxes, extent, isDrawing } = code
    if (this.region.partsNear(placedBounds(extent, place)).length === 0) return false
    const placed = boxes.map((box) => box.map((corner) => transformed(corner, place)))
    const isTaken = areUnder(placed, this.region) || (isDrawing && areUnder(placed, this.#wellInside))
    if (!isTaken) return false
    const bounds = isDrawing ? boundsOf(placed.flat()) : undefined
    if (bounds !== undefined) this.drawings.push(bounds)
    const ink = placed.length > 1 ? placed.at(-1) : undefined
    const left = ink === undefined ? '' : this.#textBeside(code, ink, place)
    const rect = ink && boundsOf(ink)
    if (rect !== undefined && left !== undefined) this.removed.addText({ text: left, rect })
    return true
  }

  /** Returns the characters that no mark was meant for; undefined if there are none. */
  #textBeside({ text, advance }: MeasuredCode, ink: Corners, place: Matrix): string | undefined {
    const characters = [...text]
    if (characters.length < 2) return this.#coveredShare(ink) < mostly ? text : undefined
    const { bottom = 0, top = 0 } = boundsOf(ink.map((corner) => transformed(corner, mupdf.Matrix.invert(place)))) ?? {}
    const inOrder = mayTurn(text) ? characters.toReversed() : characters
    const isLeft = inOrder.map((_, index) => {
      const x = ((index + 0.5) / characters.length) * advance.x
      return !this.region.has(transformed({ x, y: (bottom + top) / 2 }, place))
    })
    const beside = inOrder.filter((_, index) => isLeft[index])
    return beside.length === 0 ? undefined : (mayTurn(text) ? beside.reverse() : beside).join('')
  }

  #coveredShare(shape: Corners): number {
    const area = areaOf(shape)
    const covered = this.region.partsTouching(shape).map((part) => areaOf(shared(shape, this.region.parts[part] ?? [])))
    return area > 0 ? covered.reduce((sum, one) => sum + one, 0) / area : 1
  }
}

/** Returns the part of a convex shape that lies in another one. */
function shared(shape: Corners, within: Corners): Corners {
  const turn = Math.sign(signedArea(within))
  let left = shape
  for (const [index, from] of within.entries()) {
    const to = within[(index + 1) % within.length] ?? from
    const depths = left.map((corner) => side(from, to, corner) * turn)
    left = left.flatMap((corner, at) => {
      const [depth = 0, next = 0] = [depths[at], depths[(at + 1) % left.length]]
      const other = left[(at + 1) % left.length] ?? corner
      const crossing = depth * next < 0 ? [between(corner, other, depth / (depth - next))] : []
      return depth >= 0 ? [corner, ...crossing] : crossing
    })
  }
  return left
}

const areaOf = (corners: Corners): number => Math.abs(signedArea(corners))

const signedArea = (corners: Corners): number =>
  corners.reduce((sum, { x, y }, index) => {
    const next = corners[(index + 1) % corners.length] ?? { x, y }
    return sum + (x * next.y - y * next.x) / 2
  }, 0)

/** Returns whether a glyph with these boxes is under the region; the first box is its body. */
export const areUnder = (boxes: readonly Corners[], region: Region): boolean =>
  boxes.some((box) => region.touches(box)) ||
  (boxes[0] !== undefined && isFlat(boxes[0]) && boxes[0].some((point) => region.has(point)))

function isFlat(corners: Corners): boolean {
  const { left = 0, bottom = 0, right = 0, top = 0 } = boundsOf(corners) ?? {}
  return (right - left) * (top - bottom) < flatArea
}
