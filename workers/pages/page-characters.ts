// Reads the characters of a page with their places, numbered like the text that `doc.text` answers.
import type { Matrix, PDFPage, Point, Quad } from 'mupdf'
import type { PageBox } from '../contract/page-box.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import { type PageSpace, tidy } from '../document/page-space.js'
import { mupdf } from '../engine/library.js'

export interface Glyph {
  readonly quad: PageQuad
  readonly isSpace: boolean
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

/** Reads at most one more glyph than `glyphsMax`. */
export function readCharacters(page: PDFPage, space: PageSpace, glyphsMax: number): PageCharacters {
  const structured = page.toStructuredText('')
  const reader = new CharacterReader(page.getTransform(), space)
  try {
    structured.walk({
      beginLine: (_box, _mode, direction) => reader.begin(direction),
      onChar: (character, _origin, _font, size, quad) => {
        if (reader.glyphCount <= glyphsMax) reader.add(character, size, quad)
      },
      // The text has a line break after each line, and another one after each block.
      endLine: () => reader.end(),
      endTextBlock: () => reader.end(),
    })
  } finally {
    structured.destroy()
  }
  return reader
}

class CharacterReader implements PageCharacters {
  readonly runs: GlyphRun[] = []
  glyphCount = 0
  private characters = 0
  private rotation = 0
  private run: GlyphRun | undefined
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

  begin([x, y]: Point): void {
    const [a, b, c, d] = this.toUser
    const degrees = (Math.atan2(-(b * x + d * y), a * x + c * y) * 180) / Math.PI
    this.rotation = roundedTo(100, (degrees + 360) % 360) % 360
    this.run = undefined
  }

  add(character: string, engineSize: number, engineQuad: Quad): void {
    const fontSize = roundedTo(1000, engineSize * this.scale)
    const quad = this.quadOf(engineQuad)
    const ascentFlip = isFlipped(quad, this.rotation) ?? this.run?.ascentFlip ?? false
    if (this.run?.fontSize !== fontSize || this.run.ascentFlip !== ascentFlip) {
      this.run = { start: this.characters, fontSize, rotation: this.rotation, ascentFlip, glyphs: [] }
      this.runs.push(this.run)
    }
    this.run.glyphs.push({ quad, isSpace: character.trim() === '' })
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
