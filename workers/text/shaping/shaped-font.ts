// A font of a script in one drawing. Each code stands for one glyph and the text it is read as, so that readers extract
// the original text, however its letters changed shape and order.
import type { PDFDocument, PDFObject } from 'mupdf'
import { mupdf } from '../../engine/library.js'
import { number } from '../content-operands.js'
import { type CodedGlyph, embeddedSubset, hexadecimal, utf16 } from '../embedded-subset.js'
import { withoutBidiControls } from './direction.js'
import type { PlacedGlyph, ScriptFont, ShapedRun } from './script-fonts.js'

/** Highest code: codes have two bytes. */
const codeMax = 0xffff
/** Maximum number of UTF-16 units of one code's text (ISO 32000-2, 9.10.3: 512 bytes). */
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

  /** True if text was shown with the font, not only measured. */
  get isUsed(): boolean {
    return this.#coded.size > 0
  }

  /** Returns operators that show a run at the current position of a text object, and move that to its end. */
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

  /**
   * Shows a left-to-right cluster. One glyph can be read as several characters; several glyphs need /ActualText (ISO
   * 32000-2, 14.9.4).
   */
  #showForwards(line: GlyphLine, { read, glyphs, main }: ReadCluster): void {
    const show = (): void => {
      for (const glyph of glyphs) line.add(glyph, this.#code(glyph, glyph === main ? read : ''))
    }
    if (glyphs.length === 1) show()
    else line.readAs(read, show)
  }

  /**
   * Shows a right-to-left cluster. Readers reverse right-to-left text character by character. Therefore each character
   * gets a code of its own: the first of a cluster that of its widest glyph, the others those of blanks before it;
   * remaining glyphs have no text.
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

  /**
   * Returns the code of a glyph: its number unless that code is in use, so that codes do not reveal the order of
   * writing.
   */
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

/** Builds operators from positioned glyphs: strings of codes, and moves between them. */
class GlyphLine {
  readonly #operators: string[] = []
  readonly #strings: string[] = []
  /** Position of the next glyph by the font's own advance, as a fraction of the em. */
  #x = 0
  #y = 0

  constructor(private readonly size: number) {}

  add({ x, y, width }: PlacedGlyph, code: number): void {
    if (Math.abs(y - this.#y) > tolerance) this.#writeRise(y)
    this.#writeAdvance(x)
    this.#strings.push(hexadecimal([code]))
    this.#x = x + width
  }

  /** Marks the drawn glyphs with the text they are read as; empty = no text. */
  readAs(text: string, draw: () => void): void {
    this.#flush()
    this.#operators.push(`/Span <</ActualText <feff${utf16(text)}>>> BDC`)
    draw()
    this.#flush()
    this.#operators.push('EMC')
  }

  finish(width: number): string {
    if (this.#y !== 0) this.#writeRise(0)
    this.#writeAdvance(width)
    this.#flush()
    return this.#operators.join('\n')
  }

  #writeRise(y: number): void {
    this.#flush()
    this.#operators.push(`${number(y * this.size)} Ts`)
    this.#y = y
  }

  #writeAdvance(x: number): void {
    if (Math.abs(x - this.#x) > tolerance) this.#strings.push(number((this.#x - x) * 1000))
    this.#x = x
  }

  #flush(): void {
    if (this.#strings.length > 0) this.#operators.push(`[${this.#strings.splice(0).join(' ')}] TJ`)
  }
}
