// Takes glyphs out of the text of one content stream. What is left stays where it was: a number in an array of strings
// moves it by the advances of all glyphs that were taken out before it (ISO 32000-2, 9.4.3).
import type { Matrix } from 'mupdf'
import type { Point } from '../../annotations/drawing/geometry.js'
import { bytesIn, type Operator } from '../../content/operators.js'
import { mupdf } from '../../engine/library.js'
import { identity } from '../content/matrices.js'
import { elementsOf } from '../content/plain-operators.js'
import { codesIn, type ShownCode } from './code-spaces.js'
import type { FontMeasures, MeasuredCode, MeasuredFont } from './font-measures.js'
import type { TextState } from './text-state.js'

/** Decides about glyphs. `place` maps ems to the page. */
export interface GlyphJudge {
  readonly measures: FontMeasures
  readonly isTaken: (code: MeasuredCode, place: Matrix) => boolean
}

export interface SiftedText {
  /** Operators that are left; empty if nothing is. */
  readonly text: string
  /** True if any glyph is left. */
  readonly isShown: boolean
  /** Codes that are left. */
  readonly codes: readonly (readonly number[])[]
}

/** Distance that text moves along the line without a glyph, in text space without the horizontal scale. */
interface Gap {
  readonly by: number
  readonly state: TextState
}

/** The engine computes in single precision; over a long line, rounding errors add up to the width of a small letter. */
const single = Math.fround
const thousandth = single(0.001)

export const shows: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])

export class TextSieve {
  #matrix: Matrix = identity
  #line: Matrix = identity
  /** Advances of glyphs that were taken out since the last one that stays. */
  #gap: Gap | undefined
  #clips = { shown: false, kept: false }

  constructor(private readonly judge: GlyphJudge) {}

  /** Handles an operator that places text. Returns false for all others. `now`: state after the operator. */
  place({ name, operands }: Operator, now: TextState): boolean {
    const step = this.#places[name]
    if (step === undefined) return false
    step(operands.map(Number), now)
    this.#gap = undefined
    return true
  }

  readonly #places: Readonly<Record<string, (numbers: readonly number[], now: TextState) => void>> = {
    BT: () => this.#begin(identity),
    Tm: ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) => this.#begin([a, b, c, d, e, f]),
    Td: ([x = 0, y = 0]) => this.#moveLine(x, y),
    TD: ([x = 0, y = 0]) => this.#moveLine(x, y),
    'T*': (_, { leading }) => this.#moveLine(0, -leading),
  }

  /** Returns operators that move the text by the current gap: what follows has other units. */
  closeGap(): string {
    const gap = this.#gap
    this.#gap = undefined
    if (gap === undefined) return ''
    const { font, size, scale } = gap.state
    if (font === undefined) return ''
    const number = numberFor(gap, size === 0 ? 1 : size)
    if (number === undefined) return ''
    font.isShown = true
    if (size !== 0) return `[${number}] TJ`
    return font.name === undefined || scale === 0 ? '' : `/${font.name} 1 Tf [${number}] TJ /${font.name} 0 Tf`
  }

  /** Returns true once after a text object if all glyphs of its clip were taken out. */
  endClip(): boolean {
    const { shown, kept } = this.#clips
    this.#clips = { shown: false, kept: false }
    return shown && !kept
  }

  /** Handles an operator that shows text; it is a plain one (`Tj` or `TJ`). `ctm` maps text space to the page. */
  show({ name, operands }: Operator, now: TextState, ctm: Matrix): SiftedText {
    const font = this.judge.measures.of(now.font?.object ?? mupdf.PDFObject.Null)
    const elements = (name === 'TJ' ? elementsOf(operands[0] ?? '') : operands).map((element) => readOf(element, font))
    font.prepare(elements.flatMap(({ codes }) => codes.map(({ bytes }) => bytes)))
    const writer = new ArrayWriter()
    for (const { written, number, codes } of elements) {
      if (number !== undefined) this.#moveBy(written, number, font, now, writer)
      const left = codes.filter((code) => this.#showOne(code, font, now, ctm, writer))
      if (left.length === codes.length && codes.length > 0) writer.keepAsWritten(written, codes.length)
      if (now.mode >= 4 && codes.length > 0) this.#clips = { shown: true, kept: this.#clips.kept || left.length > 0 }
    }
    const text = writer.written()
    if (text !== '' && now.font !== undefined) now.font.isShown = true
    return { text, isShown: writer.codes.length > 0, codes: writer.codes }
  }

  #moveBy(written: string, number: number, font: MeasuredFont, now: TextState, writer: ArrayWriter): void {
    const by = single(single(-number * single(now.size)) * thousandth)
    this.#move(font.isVertical ? { x: 0, y: by } : { x: single(by * single(now.scale)), y: 0 })
    if (this.#gap === undefined) writer.addNumber(written)
    else this.#widen((-number / 1000) * now.size, now)
  }

  /** Returns whether the code stays. */
  #showOne(code: ShownCode, font: MeasuredFont, now: TextState, ctm: Matrix, writer: ArrayWriter): boolean {
    const measured = font.of(code.bytes)
    const { size, scale, rise, characterSpacing, wordSpacing } = now
    const place = mupdf.Matrix.concat([size * scale, 0, 0, size, 0, rise], mupdf.Matrix.concat(this.#matrix, ctm))
    const isTaken = this.judge.isTaken(measured, place)
    const advance = font.isVertical ? measured.advance.y : measured.advance.x
    const spacing = measured.isSpaced ? characterSpacing : 0
    const space = code.isSpace ? wordSpacing : 0
    for (const by of [single(single(single(advance) * single(size)) + single(spacing)), single(space)])
      this.#move(font.isVertical ? { x: 0, y: by } : { x: single(by * single(scale)), y: 0 })
    if (isTaken) {
      this.#widen(advance * size + spacing + space, now)
      return false
    }
    const gap = this.#gap
    this.#gap = undefined
    const number = gap && numberFor(gap, now.size)
    if (number !== undefined) writer.addNumber(number)
    writer.add(code.bytes)
    return true
  }

  /** `by`: distance along the line, without the horizontal scale. */
  #widen(by: number, state: TextState): void {
    this.#gap = { by: (this.#gap?.by ?? 0) + by, state }
  }

  #begin([a, b, c, d, e, g]: Matrix): void {
    this.#matrix = [single(a), single(b), single(c), single(d), single(e), single(g)]
    this.#line = this.#matrix
  }

  #moveLine(x: number, y: number): void {
    this.#begin(mupdf.Matrix.concat([1, 0, 0, 1, x, y], this.#line))
  }

  #move({ x, y }: Point): void {
    const [a, b, c, d, e, g] = this.#matrix
    this.#matrix = [
      a,
      b,
      c,
      d,
      single(e + single(single(x * a) + single(y * c))),
      single(g + single(single(x * b) + single(y * d))),
    ]
  }
}

interface Element {
  readonly written: string
  readonly number: number | undefined
  readonly codes: readonly ShownCode[]
}

function readOf(written: string, { space }: MeasuredFont): Element {
  if (/^[(<]/.test(written) && !written.startsWith('<<'))
    return { written, number: undefined, codes: [...codesIn([...bytesIn(written)], space)] }
  const number = Number(written)
  return { written, number: Number.isFinite(number) ? number : undefined, codes: [] }
}

/** Least number that moves anything. */
const least = 1e-4

/** Returns the number that moves text of a size by the gap; undefined for none. */
function numberFor({ by }: Gap, size: number): string | undefined {
  const number = (-1000 * by) / size
  return Number.isFinite(number) && Math.abs(number) >= least ? String(Number(number.toFixed(6))) : undefined
}

/** Collects the array of strings and numbers that is left. */
class ArrayWriter {
  readonly codes: (readonly number[])[] = []
  readonly #elements: string[] = []
  #bytes: number[] = []
  #count = 0
  #isArray = false

  add(code: readonly number[]): void {
    this.codes.push(code)
    this.#bytes.push(...code)
    this.#count++
  }

  addNumber(number: string): void {
    this.#endString()
    this.#isArray = true
    this.#elements.push(number)
  }

  /** Ends a string of which all codes were added: what was added since its start is written as it was. */
  keepAsWritten(written: string, codes: number): void {
    if (this.#count === codes) {
      this.#elements.push(isPlain(written) ? written : literal(this.#bytes))
      this.#bytes = []
      this.#count = 0
    } else this.#endString()
  }

  written(): string {
    this.#endString()
    if (this.#elements.length === 0) return ''
    const isArray = this.#isArray || this.#elements.length > 1
    return isArray ? `[${this.#elements.join(' ')}] TJ` : `${this.#elements[0]} Tj`
  }

  #endString(): void {
    if (this.#count > 0) this.#elements.push(literal(this.#bytes))
    this.#bytes = []
    this.#count = 0
  }
}

/** A hexadecimal string may have anything between its digits. */
const isPlain = (written: string): boolean => !written.startsWith('<') || /^<[0-9A-Fa-f\s]*>$/.test(written)

const literal = (bytes: readonly number[]): string =>
  `(${Buffer.from(bytes)
    .toString('latin1')
    .replace(/[()\\\r]/g, (one) => (one === '\r' ? '\\r' : `\\${one}`))})`
