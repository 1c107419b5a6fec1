// Computes boxes of glyphs: the body that every letter has, and the bounds of the actual outline, which may be
// anywhere.
import type { Font, Matrix } from 'mupdf'
import { boundsOf, cornersOf } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { mupdf } from '../engine/library.js'
import { emptyRect } from '../objects/rectangles.js'
import { inkOf } from './glyph-ink.js'
import { type Corners, placedBounds, shrunk, transformed } from './region.js'

/** Vertical extent of a glyph's body above the baseline, as fractions of the em. */
const [bodyBottom, bodyTop] = [0, 0.66]
/** Margin as a fraction of the glyph: a glyph whose edge only touches the region is outside. */
const glyphMargin = 0.2
/** Font size for measuring: the engine adds a margin of one unit, which is negligible at this size. */
const measuredSize = 1_000
/** Extent in ems of a glyph without ink, which the engine bounds by that margin alone. */
const leastInk = 0.004

/** Line width that stands for none: the engine draws a width of zero as the thinnest visible line. */
export const hairline = 1e-9

/** Glyph as measured, in ems. */
interface MeasuredGlyph {
  readonly boxes: readonly Corners[]
  /** Bounds of all boxes. */
  readonly extent: PdfRect
}

interface KnownFont {
  /** Reference that prevents another font from getting the same address. */
  readonly font: Font
  readonly name: string
  readonly glyphs: Map<number, MeasuredGlyph>
}

/** True for a font whose glyphs are content streams. */
export const isDrawnFont = (font: Font): boolean => font.getName().startsWith('Type3 ')

export class GlyphBoxes {
  readonly #known = new Map<number, KnownFont>()
  readonly #noStroke = new mupdf.StrokeState({
    lineCap: 'Butt',
    lineJoin: 'Miter',
    lineWidth: hairline,
    miterLimit: 10,
  })

  /** `margin`: fraction of a box that is cropped at each side. */
  constructor(private readonly margin: number = glyphMargin) {}

  /** Returns boxes of a glyph, its body first. */
  of(font: Font, glyph: number, matrix: Matrix): readonly Corners[] {
    return this.#glyph(font, glyph).boxes.map((box) => box.map((corner) => transformed(corner, matrix)))
  }

  /** Returns the bounds of all boxes of a glyph. */
  boundsOf(font: Font, glyph: number, matrix: Matrix): PdfRect {
    return placedBounds(this.#glyph(font, glyph).extent, matrix)
  }

  /** The engine names a font whose glyphs are drawn by its object number, which this leaves out. */
  nameOf(font: Font): string {
    return this.#font(font).name
  }

  #font(font: Font): KnownFont {
    let known = this.#known.get(font.pointer)
    if (known === undefined) {
      known = { font, name: isDrawnFont(font) ? 'Type3' : font.getName(), glyphs: new Map() }
      this.#known.set(font.pointer, known)
    }
    return known
  }

  #glyph(font: Font, glyph: number): MeasuredGlyph {
    const { glyphs } = this.#font(font)
    let known = glyphs.get(glyph)
    if (known === undefined) {
      const boxes = this.#measured(font, glyph)
      known = { boxes, extent: boundsOf(boxes.flat()) ?? emptyRect }
      glyphs.set(glyph, known)
    }
    return known
  }

  destroy(): void {
    this.#noStroke.destroy()
  }

  #measured(font: Font, glyph: number): readonly Corners[] {
    const ink = this.#ink(font, glyph)
    const right = widthOfBody(font.advanceGlyph(glyph, 0), ink)
    const body = cornersOf({ left: 0, bottom: bodyBottom, right, top: bodyTop })
    return [body, ...(ink === undefined ? [] : [cornersOf(ink)])].map((box) => shrunk(box, this.margin))
  }

  #ink(font: Font, glyph: number): PdfRect | undefined {
    const bounds = this.#bounds(font, glyph)
    if (bounds === undefined) return undefined
    const ofFont = this.#bounds(font, absentGlyph)
    const isOfFont = ofFont !== undefined && isSame(bounds, ofFont)
    return isOfFont ? inkOf(font, glyph, bounds) : bounds
  }

  /** Returns bounds in ems. The engine has only those of the font where that has thousands of glyphs. */
  #bounds(font: Font, glyph: number): PdfRect | undefined {
    const text = new mupdf.Text()
    try {
      text.showGlyph(font, [measuredSize, 0, 0, measuredSize, 0, 0], glyph, 0)
      const box = text.getBounds(this.#noStroke, mupdf.Matrix.identity)
      const [left = 0, bottom = 0, right = 0, top = 0] = box.map((value) => value / measuredSize)
      const isBlank = right - left < leastInk && top - bottom < leastInk
      return left < right && bottom < top && !isBlank ? { left, bottom, right, top } : undefined
    } finally {
      text.destroy()
    }
  }
}

/**
 * Returns the width of a body: that of the ink where the font program has an advance of much less, as one without widths
 * has. The margin of a narrow body would be less than what a mark beside it may touch.
 */
const widthOfBody = (advance: number, ink: PdfRect | undefined): number =>
  ink !== undefined && advance < ink.right / 2 ? ink.right : advance

/** Number of a glyph that no font has: the bounds of the font stand for those of the glyph. */
const absentGlyph = 0xffff

const isSame = (one: PdfRect, other: PdfRect): boolean =>
  (['left', 'bottom', 'right', 'top'] as const).every((edge) => Math.abs(one[edge] - other[edge]) < 1e-6)
