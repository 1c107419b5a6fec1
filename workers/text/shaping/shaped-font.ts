// A font of a script in one drawing. Its codes are its own: each stands for one glyph and the text that glyph is read as,
// so that a reader finds the text again that was written, however its letters changed their shape and order.
import type { PDFDocument, PDFObject } from 'mupdf'
import { mupdf } from '../../engine/library.js'
import { number } from '../content.js'
import { type CodedGlyph, embeddedSubset, hexadecimal, utf16 } from '../embedded-subset.js'
import { withoutBidiControls } from './direction.js'
import type { PlacedGlyph, ScriptFont, ShapedRun } from './script-fonts.js'

/** Codes have two bytes. */
const codeMax = 0xffff
/** UTF-16 units one code is read as (ISO 32000-2, 9.10.3: 512 bytes). */
const textMax = 256
/** Tolerance as a fraction of the em: positions that are closer are equal. */
const tolerance = 0.000_01

export class ShapedFont {
  readonly #codes = new Map<string, number>()
  readonly #coded = new Map<number, CodedGlyph>()
  #next: number

  constructor(readonly font: ScriptFont) {
    this.#next = font.glyphCount
  }

  /** Something was shown with it, not only measured. */
  get isUsed(): boolean {
    return this.#coded.size > 0
  }

  /** Operators that write it at the current place of a text object, and leave that where the run ends. */
  show(run: ShapedRun, size: number): string {
    const line = new GlyphLine(size)
    for (const { text, glyphs } of run.clusters) {
      const read = withoutBidiControls(text)
      const main = widest(glyphs)
      if (read === '' || main === undefined) continue
      if (run.direction === 'ltr') this.#showForwards(line, { read, glyphs, main })
      else this.#showBackwards(line, { read, glyphs, main })
    }
    return line.finish(run.width)
  }

  resource(pdf: PDFDocument): PDFObject {
    const font = new mupdf.Font(this.font.file.name, this.font.file.bytes)
    try {
      return embeddedSubset(pdf, font, this.#coded)
    } finally {
      font.destroy()
    }
  }

  /** A glyph can be read as several characters; several glyphs need their text beside them (ISO 32000-2, 14.9.4). */
  #showForwards(line: GlyphLine, { read, glyphs, main }: ReadCluster): void {
    const show = (): void => {
      for (const glyph of glyphs) line.add(glyph, this.#code(glyph, glyph === main ? read : ''))
    }
    if (glyphs.length === 1) show()
    else line.readAs(read, show)
  }

  /**
   * Readers turn around what they find from right to left, character by character. So each is read from a code of its own:
   * the first of a cluster from its widest glyph, the others from blanks before it, and other glyphs are not read.
   */
  #showBackwards(line: GlyphLine, { read, glyphs, main }: ReadCluster): void {
    const [first = '', ...others] = read
    const blank = { glyph: this.font.blank, x: main.x, y: 0, width: 0 }
    for (const character of others.reverse()) line.add(blank, this.#code(blank, character))
    line.add(main, this.#code(main, first))
    const rest = glyphs.filter((glyph) => glyph !== main)
    if (rest.length === 0) return
    line.readAs('', () => {
      for (const glyph of rest) line.add(glyph, this.#code(glyph, ''))
    })
  }

  /** The number of the glyph, unless that means something else already: so the codes do not tell what was written first. */
  #code({ glyph, width }: PlacedGlyph, text: string): number {
    const shown = text.slice(0, textMax)
    const key = `${glyph} ${width} ${shown}`
    const known = this.#codes.get(key)
    if (known !== undefined) return known
    const code = this.#coded.has(glyph) ? this.#next++ : glyph
    if (code > codeMax) return glyph
    this.#coded.set(code, { glyph, width, text: shown })
    this.#codes.set(key, code)
    return code
  }
}

interface ReadCluster {
  readonly read: string
  readonly glyphs: readonly PlacedGlyph[]
  readonly main: PlacedGlyph
}

const widest = (glyphs: readonly PlacedGlyph[]): PlacedGlyph | undefined =>
  glyphs.reduce<PlacedGlyph | undefined>(
    (found, glyph) => (found === undefined || glyph.width > found.width ? glyph : found),
    undefined,
  )

/** Glyphs at their places: strings of codes, and the steps between them. */
class GlyphLine {
  readonly #operators: string[] = []
  readonly #strings: string[] = []
  /** Position of the next glyph by the font's own advance, as a fraction of the em. */
  #x = 0
  #y = 0

  constructor(private readonly size: number) {}

  add({ x, y, width }: PlacedGlyph, code: number): void {
    if (Math.abs(y - this.#y) > tolerance) this.#rise(y)
    this.#step(x)
    this.#strings.push(hexadecimal([code]))
    this.#x = x + width
  }

  /** Marks what is drawn as reading as the text; an empty text reads as nothing. */
  readAs(text: string, draw: () => void): void {
    this.#flush()
    this.#operators.push(`/Span <</ActualText <feff${utf16(text)}>>> BDC`)
    draw()
    this.#flush()
    this.#operators.push('EMC')
  }

  finish(width: number): string {
    if (this.#y !== 0) this.#rise(0)
    this.#step(width)
    this.#flush()
    return this.#operators.join('\n')
  }

  #rise(y: number): void {
    this.#flush()
    this.#operators.push(`${number(y * this.size)} Ts`)
    this.#y = y
  }

  #step(x: number): void {
    if (Math.abs(x - this.#x) > tolerance) this.#strings.push(number((this.#x - x) * 1000))
    this.#x = x
  }

  #flush(): void {
    if (this.#strings.length > 0) this.#operators.push(`[${this.#strings.splice(0).join(' ')}] TJ`)
  }
}
