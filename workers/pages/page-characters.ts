// Reads the characters of a page with their places, numbered like the text that `doc.text` answers.
import type { Matrix, PDFPage, Point, Quad } from 'mupdf'
import type { PageBox } from '../contract/page-box.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import { type PageSpace, tidy } from '../document/page-space.js'
import { mupdf } from '../engine/library.js'
import { isAt, isFlat } from './flat-quads.js'
import type { OrderedCharacter } from './reading-order/ordered-lines.js'
import { pageSource, withText } from './reading-order/ordered-text.js'

export interface Glyph {
  readonly quad: PageQuad
  /**
   * Place of the glyph that is drawn for the character: of a glyph that stands for several characters, as a ligature
   * does, only the first one has a quad with an extent.
   */
  readonly drawn: PageQuad
  /** Origin of the glyph, usually on the baseline. */
  readonly origin: PagePoint
  readonly isSpace: boolean
  /** Place among the glyphs of its row from left to right; undefined where this is the order of the characters. */
  readonly place: number | undefined
}

/** Glyphs of one line with one size and direction. */
export interface GlyphRun {
  /** Number of the first character; the others follow. */
  readonly start: number
  /** Points. */
  readonly fontSize: number
  /** Direction of writing on the unrotated page in degrees, clockwise from the right. */
  readonly rotation: number
  /** True if the text is mirrored: its ascent is on the other side of the baseline. */
  readonly ascentFlip: boolean
  readonly glyphs: Glyph[]
}

export interface PageCharacters {
  /** In reading order. */
  readonly runs: readonly GlyphRun[]
  readonly glyphCount: number
}

/** Reads at most one more glyph than `glyphsMax`. `options`: those of the engine, see `searchedText`. */
export function readCharacters(page: PDFPage, space: PageSpace, glyphsMax: number, options = ''): PageCharacters {
  const reader = new CharacterReader(page.getTransform(), space)
  withText(pageSource(page), options, (text) =>
    text.walk({
      beginLine: (direction, isVertical) => reader.begin(direction, isVertical),
      onCharacter: (character) => {
        if (reader.glyphCount <= glyphsMax) reader.add(character)
      },
      endLine: () => reader.end(),
      endBlock: () => reader.end(),
    }),
  )
  return reader
}

class CharacterReader implements PageCharacters {
  readonly runs: GlyphRun[] = []
  glyphCount = 0
  private characters = 0
  private rotation = 0
  private isVertical = false
  private direction: Point = [1, 0]
  private run: GlyphRun | undefined
  /** Quad of the last glyph of the run that has an extent. */
  private drawn: PageQuad | undefined
  private readonly toUser: Matrix
  /** Points of user space for one of the engine. */
  private readonly scale: number

  /** `toEngine`: transformation from user space. */
  constructor(
    toEngine: Matrix,
    private readonly space: PageSpace,
  ) {
    this.toUser = mupdf.Matrix.invert(toEngine)
    const [a, b, c, d] = this.toUser
    this.scale = Math.sqrt(Math.abs(a * d - b * c))
  }

  begin(direction: Point, isVertical: boolean): void {
    this.direction = direction
    this.isVertical = isVertical
    const [x, y] = direction
    const [a, b, c, d] = this.toUser
    const degrees = (Math.atan2(-(b * x + d * y), a * x + c * y) * 180) / Math.PI
    this.rotation = roundedTo(100, (degrees + 360) % 360) % 360
    this.run = undefined
  }

  add(character: OrderedCharacter): void {
    const { size, place } = character
    const fontSize = roundedTo(1000, size * this.scale)
    const quad = this.quadOf(this.isVertical ? verticalCell(character.quad, this.direction, size) : character.quad)
    const ascentFlip = isFlipped(quad, this.rotation) ?? this.run?.ascentFlip ?? false
    if (this.run?.fontSize !== fontSize || this.run.ascentFlip !== ascentFlip) {
      this.run = { start: this.characters, fontSize, rotation: this.rotation, ascentFlip, glyphs: [] }
      this.runs.push(this.run)
      this.drawn = undefined
    }
    const isSpace = character.text.trim() === ''
    if (!isFlat(quad)) this.drawn = quad
    const drawn = this.drawn !== undefined && !isSpace && isFlat(quad) && isAt(quad, this.drawn) ? this.drawn : quad
    this.run.glyphs.push({ quad, drawn, origin: this.toPage(...character.origin), isSpace, place })
    this.characters += 1
    this.glyphCount += 1
  }

  /** Ends a line or a block. */
  end(): void {
    this.characters += 1
    this.run = undefined
  }

  private quadOf([ulx, uly, urx, ury, llx, lly, lrx, lry]: Quad): PageQuad {
    return {
      upperLeft: this.toPage(ulx, uly),
      upperRight: this.toPage(urx, ury),
      lowerLeft: this.toPage(llx, lly),
      lowerRight: this.toPage(lrx, lry),
    }
  }

  private toPage(x: number, y: number): PagePoint {
    const [a, b, c, d, e, f] = this.toUser
    const point = this.space.toPagePoint(a * x + c * y + e, b * x + d * y + f)
    return { x: roundedTo(1000, point.x), y: roundedTo(1000, point.y) }
  }
}

/** Part of the em above the baseline of an upright glyph in vertical writing (ISO 32000-2, 9.7.4.3: /DW2). */
const ascentShare = 0.88

/**
 * Returns the cell of a glyph of vertical writing, named along the direction of writing. The engine's quad has the right
 * width, but ends at the baseline and extends an advance in the wrong direction.
 */
function verticalCell([ulx, uly, urx, ury, llx, lly, lrx, lry]: Quad, [x, y]: Point, size: number): Quad {
  const width = Math.hypot(ulx - llx, uly - lly)
  const em = width > 0 ? size ** 2 / width : size
  const advance = Math.hypot(urx - ulx, ury - uly)
  const [before, after] = [-ascentShare * em, advance - ascentShare * em]
  return [
    urx + x * before,
    ury + y * before,
    urx + x * after,
    ury + y * after,
    lrx + x * before,
    lry + y * before,
    lrx + x * after,
    lry + y * after,
  ]
}

/** True if the ascent is clockwise of the direction of writing; undefined for a glyph without height. */
function isFlipped({ upperLeft, lowerLeft }: PageQuad, rotation: number): boolean | undefined {
  const radians = (rotation * Math.PI) / 180
  const [upX, upY] = [upperLeft.x - lowerLeft.x, upperLeft.y - lowerLeft.y]
  const side = Math.cos(radians) * upY - Math.sin(radians) * upX
  return side === 0 ? undefined : side > 0
}

export function boxAround(points: readonly PagePoint[]): PageBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: tidy(right - left), height: tidy(bottom - top) }
}

/** A thousandth of a point is far below a pixel, and keeps the answer small. */
const roundedTo = (parts: number, value: number): number => tidy(Math.round(value * parts) / parts)
