// Content of an annotation's drawing: operators in user space, their bounds, and the fonts and pictures they use.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Color } from '../../contract/color.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { tidy } from '../../document/page-space.js'
import { emptyRect, union } from '../../objects/rectangles.js'
import { entriesOf } from '../../objects/values.js'
import { fillColor, number, numbers, strokeColor } from '../../text/content-operands.js'
import { TextLayout } from '../../text/text-layout.js'
import { boundsOf, outset, type Point, ratiosOf, turnedAbout } from './geometry.js'

export interface Pen {
  readonly color: Color
  readonly strokeWidth: number
  readonly dashArray: readonly number[] | null
  readonly interiorColor?: Color | null
}

/** Maximum number of fonts of one text layout. */
const fontsMax = 16

/** Distance of the control points of a curve that approximates a quarter of a circle of radius 1. */
const arcShare = 0.5523

export class Sheet {
  readonly #operators: string[] = []
  readonly #layouts = new Map<string, TextLayout>()
  readonly #pictures = new Map<string, PDFObject>()
  #bounds: PdfRect | undefined
  #place: (point: Point) => Point = (point) => point

  add(...operators: readonly string[]): void {
    this.#operators.push(...operators)
  }

  /** Extends the bounds to these points, and `margin` points around them. */
  cover(points: readonly Point[], margin = 0): void {
    const reached = boundsOf(points.map((point) => this.#place(point)))
    if (reached === undefined) return
    const bounds = outset(reached, margin)
    this.#bounds = this.#bounds === undefined ? bounds : union(this.#bounds, bounds)
  }

  /** Rotates what `draw` draws about a point; degrees clockwise, null = no rotation. */
  turned(middle: Point, degrees: number | null, draw: () => void): void {
    if (degrees === null || degrees % 360 === 0) {
      draw()
      return
    }
    const { cosine, sine } = ratiosOf(degrees)
    const { x, y } = middle
    const matrix = [cosine, -sine, sine, cosine, x - x * cosine - y * sine, y + x * sine - y * cosine]
    this.#place = turnedAbout(middle, degrees)
    this.inside(`${matrix.map((value) => value.toFixed(6)).join(' ')} cm`, draw)
    this.#place = (point) => point
  }

  /** Draws between `q` and `Q`. */
  inside(setup: string, draw: () => void): void {
    this.add('q')
    if (setup !== '') this.add(setup)
    draw()
    this.add('Q')
  }

  /**
   * Sets colours, width and dashes, and returns the operator that paints a path with them; undefined if nothing would
   * be visible.
   */
  pen({ color, strokeWidth, dashArray, interiorColor = null }: Pen, isClosed: boolean): string | undefined {
    const hasLine = strokeWidth > 0
    if (interiorColor !== null) this.add(fillColor(interiorColor))
    if (hasLine) this.add(strokeColor(color), `${number(strokeWidth)} w`)
    if (hasLine && dashArray?.some((dash) => dash > 0)) this.add(`[${numbers(...dashArray)}] 0 d`)
    if (hasLine) return interiorColor !== null ? (isClosed ? 'b' : 'B') : isClosed ? 's' : 'S'
    return interiorColor !== null ? 'f' : undefined
  }

  lines(points: readonly Point[]): void {
    this.add(...points.map(({ x, y }, index) => `${numbers(x, y)} ${index === 0 ? 'm' : 'l'}`))
  }

  curve(one: Point, two: Point, end: Point): void {
    this.add(`${numbers(one.x, one.y, two.x, two.y, end.x, end.y)} c`)
  }

  rectangle({ left, bottom, right, top }: PdfRect): void {
    this.add(`${numbers(left, bottom, Math.max(0, right - left), Math.max(0, top - bottom))} re`)
  }

  ellipse({ left, bottom, right, top }: PdfRect): void {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2]
    const [width, height] = [Math.max(0, (right - left) / 2), Math.max(0, (top - bottom) / 2)]
    const at = (across: number, up: number): Point => ({ x: x + across * width, y: y + up * height })
    this.lines([at(1, 0)])
    this.curve(at(1, arcShare), at(arcShare, 1), at(0, 1))
    this.curve(at(-arcShare, 1), at(-1, arcShare), at(-1, 0))
    this.curve(at(-1, -arcShare), at(-arcShare, -1), at(0, -1))
    this.curve(at(arcShare, -1), at(1, -arcShare), at(1, 0))
    this.add('h')
  }

  /** Returns the text layout of a font. `fontName`: alias of a standard font (`Helv`). */
  textLayout(fontName: string): TextLayout {
    const known = this.#layouts.get(fontName)
    if (known !== undefined) return known
    const made = new TextLayout({ fontName, resources: [] })
    this.#layouts.set(fontName, made)
    return made
  }

  /** Draws a form or an image under a resource name. */
  picture(name: string, object: PDFObject): void {
    this.#pictures.set(name, object)
    this.add(`/${name} Do`)
  }

  get content(): string {
    return `${this.#operators.join('\n')}\n`
  }

  get bounds(): PdfRect {
    const { left, bottom, right, top } = this.#bounds ?? emptyRect
    return { left: tidy(left), bottom: tidy(bottom), right: tidy(right), top: tidy(top) }
  }

  resources(pdf: PDFDocument): PDFObject {
    const resources = pdf.newDictionary()
    if (this.#layouts.size > 0) resources.put('Font', this.#fonts(pdf))
    if (this.#pictures.size > 0) resources.put('XObject', Object.fromEntries(this.#pictures))
    return resources
  }

  destroy(): void {
    for (const textLayout of this.#layouts.values()) textLayout.destroy()
  }

  #fonts(pdf: PDFDocument): PDFObject {
    const fonts = pdf.newDictionary()
    for (const textLayout of this.#layouts.values()) {
      for (const [name, font] of entriesOf(textLayout.fontResources(pdf), fontsMax)) fonts.put(name, font)
    }
    return fonts
  }
}
