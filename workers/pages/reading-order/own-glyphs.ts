// Finds which characters of a text have glyphs of their own, and where. The engine's lines do not tell them from spaces
// that it adds, from the further letters of a ligature, and from letters that it repeats.
import type { Device, Font, Matrix, Point, Text } from 'mupdf'
import { mupdf } from '../../engine/library.js'

export interface OwnMark {
  readonly origin: Point
  /** Middle of the ink. */
  readonly middle: Point
}

export const isMark = (text: string): boolean => /^\p{Mn}$/u.test(text)

export class OwnGlyphs {
  readonly #glyphs = new Places<string>()
  readonly #marks = new Places<OwnMark & { readonly text: string }>()
  readonly #noStroke = new mupdf.StrokeState({ lineCap: 'Butt', lineJoin: 'Miter', lineWidth: 0, miterLimit: 10 })
  #before: Point = [0, 0]

  /** `run`: draws the page with the engine's coordinates. */
  constructor(run: (device: Device) => void) {
    const show = (text: Text, ctm: Matrix) => this.#show(text, ctm)
    const device = new mupdf.Device({
      fillText: show,
      strokeText: (text, _stroke, ctm) => show(text, ctm),
      clipText: show,
      clipStrokeText: (text, _stroke, ctm) => show(text, ctm),
      ignoreText: show,
    })
    try {
      run(device)
      device.close()
    } finally {
      device.destroy()
      this.#noStroke.destroy()
    }
  }

  /** True if a program drew the character at this place. */
  has(text: string, origin: Point): boolean {
    return this.#glyphs.near(origin).some((one) => one === text || (text === ' ' && one.trim() === ''))
  }

  /** True if a program drew other characters at this place. */
  isOther(text: string, origin: Point): boolean {
    const drawn = this.#glyphs.near(origin).filter((one) => one.trim() !== '')
    return drawn.length > 0 && !drawn.includes(text)
  }

  /** Returns the mark that was drawn behind the glyph at `before`; undefined if the mark belongs to another glyph. */
  markAfter(text: string, before: Point): OwnMark | undefined {
    return this.#marks.near(before).find((mark) => mark.text === text)
  }

  #show(shown: Text, ctm: Matrix): void {
    shown.walk({
      showGlyph: (font, trm, glyph, code) => {
        if (glyph < 0 || code < 0) return
        const text = String.fromCodePoint(code)
        const place = mupdf.Matrix.concat(trm, ctm)
        const origin: Point = [place[4], place[5]]
        if (isMark(text)) this.#marks.add(this.#before, { text, origin, middle: this.#middleOf(font, glyph, place) })
        else this.#before = origin
        this.#glyphs.add(origin, text)
      },
    })
  }

  #middleOf(font: Font, glyph: number, place: Matrix): Point {
    const text = new mupdf.Text()
    try {
      text.showGlyph(font, place, glyph, 0)
      const [left, bottom, right, top] = text.getBounds(this.#noStroke, mupdf.Matrix.identity)
      return left < right && bottom < top ? [(left + right) / 2, (bottom + top) / 2] : [place[4], place[5]]
    } finally {
      text.destroy()
    }
  }
}

/** Tolerance in points: the engine computes in single precision. */
const tolerance = 0.01

/** Maximum number of items within a square point; more are none of text. */
const cellMax = 200

/** Items by place. */
class Places<Item> {
  readonly #cells = new Map<string, { readonly at: Point; readonly item: Item }[]>()

  add(at: Point, item: Item): void {
    const key = cellOf(at)
    const cell = this.#cells.get(key)
    if (cell === undefined) this.#cells.set(key, [{ at, item }])
    else if (cell.length < cellMax) cell.push({ at, item })
  }

  near([x, y]: Point): readonly Item[] {
    const steps = [-tolerance, tolerance]
    const keys = new Set(steps.flatMap((byX) => steps.map((byY) => cellOf([x + byX, y + byY]))))
    return [...keys].flatMap((key) =>
      (this.#cells.get(key) ?? [])
        .filter(({ at }) => Math.abs(at[0] - x) <= tolerance && Math.abs(at[1] - y) <= tolerance)
        .map(({ item }) => item),
    )
  }
}

const cellOf = ([x, y]: Point): string => `${Math.round(x)} ${Math.round(y)}`
