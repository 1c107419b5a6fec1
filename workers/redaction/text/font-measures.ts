// Measures what a font draws for each of its codes, and how far each moves the text after it. The engine is asked by
// drawing the codes on an otherwise empty page: it knows all kinds of fonts, of widths and of vertical metrics.
import type { Font, Image, Matrix, Path, PDFObject, PDFPage, Text } from 'mupdf'
import { boundsOf, cornersOf, type Point } from '../../annotations/drawing/geometry.js'
import type { Change } from '../../change/change.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { mupdf, raw } from '../../engine/library.js'
import { emptyRect } from '../../objects/rectangles.js'
import { entry, isDictionary, objectNumberOf } from '../../objects/values.js'
import { GlyphBoxes, isDrawnFont } from '../glyph-boxes.js'
import { type Corners, transformed } from '../region.js'
import { type CodeSpace, codeSpaceOf } from './code-spaces.js'

export interface MeasuredCode {
  /** Displacement of the text after it, in ems, without spacing. */
  readonly advance: Point
  /** True if spacing applies: a code without a glyph moves nothing. */
  readonly isSpaced: boolean
  /** True if the code moves the text downwards. */
  readonly isVertical: boolean
  /** Boxes of what is drawn, in ems from where the code is shown; the first one is the body. */
  readonly boxes: readonly Corners[]
  /** Bounds of all boxes. */
  readonly extent: PdfRect
  /** Characters that it stands for, as far as the font says. */
  readonly text: string
  /** True if the glyph is drawn with paths or pictures, which the engine tells from no others. */
  readonly isDrawing: boolean
}

/** Size at which codes are drawn: the engine computes in single precision. */
const size = 1_000
/** Character spacing in units of that size, from which the direction of writing is read. */
const spacing = 4_096
/** Part of an em that a code without a known advance has as its body. */
const bodyTop = 0.66
/** Number of codes that are drawn at once. */
const batchMax = 512
const everywhere = cornersOf({ left: -1_000, bottom: -1_000, right: 1_000, top: 1_000 })

export class FontMeasures {
  readonly #known = new Map<number | string, MeasuredFont>()
  readonly #stream: PDFObject
  /** Font of the glyph after each code, and of text whose font is missing, as readers show it. */
  readonly #reference: PDFObject
  readonly #boxes = new GlyphBoxes()

  constructor(
    private readonly change: Change,
    /** Page on which codes are drawn; the change has touched it. */
    private readonly page: number,
  ) {
    const { pdf } = change
    const font = pdf.newDictionary()
    for (const [key, name] of Object.entries({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }))
      font.put(key, pdf.newName(name))
    this.#reference = pdf.addObject(font)
    this.#stream = pdf.addStream('', {})
  }

  destroy(): void {
    this.#boxes.destroy()
    for (const object of [this.#stream, this.#reference]) this.change.pdf.deleteObject(object)
  }

  /** Returns the measures of a font dictionary, or of the reference if there is none. */
  of(font: PDFObject): MeasuredFont {
    const own = isDictionary(font) ? font : this.#reference
    const key = objectNumberOf(own) ?? `direct ${own.pointer}`
    const known = this.#known.get(key) ?? new MeasuredFont(codeSpaceOf(own), (codes) => this.#measure(own, codes))
    this.#known.set(key, known)
    return known
  }

  #measure(font: PDFObject, codes: readonly string[]): readonly MeasuredCode[] {
    const { document, pdf } = this.change
    const object = document.pageObject(this.page)
    const [contents, resources] = [entry(object, 'Contents'), entry(object, 'Resources')]
    const [own, fonts] = [pdf.newDictionary(), pdf.newDictionary()]
    fonts.put('P', font)
    fonts.put('R', this.#reference)
    own.put('Font', fonts)
    const shown = codes.map(
      (code) => `BT /P ${size} Tf ${spacing} Tc 0 Tr <${code}> Tj 0 Tc /R ${size} Tf 3 Tr (x) Tj ET`,
    )
    this.#stream.writeStream(shown.join('\n'))
    object.put('Contents', this.#stream)
    object.put('Resources', own)
    try {
      const measured = document.withContent(this.page, (loaded) => new Probe(loaded, this.#boxes).run())
      if (measured.length === codes.length) return measured
      throw new JobRefusal('MalformedPdf', 'A font of the page cannot be measured')
    } finally {
      restore(object, 'Contents', contents)
      restore(object, 'Resources', resources)
    }
  }
}

function restore(object: PDFObject, key: string, value: PDFObject): void {
  if (value.isNull()) object.delete(key)
  else object.put(key, value)
}

type Measure = (codes: readonly string[]) => readonly MeasuredCode[]

export class MeasuredFont {
  readonly #codes = new Map<string, MeasuredCode>()
  #isVertical = false

  constructor(
    readonly space: CodeSpace,
    private readonly measure: Measure,
  ) {}

  /** True if text runs downwards; known once a code was measured. */
  get isVertical(): boolean {
    return this.#isVertical
  }

  of(code: readonly number[]): MeasuredCode {
    const known = this.#codes.get(hex(code))
    if (known === undefined) throw new Error('A code was not prepared')
    return known
  }

  /** Measures those of the codes that are not known yet, in one go. */
  prepare(codes: Iterable<readonly number[]>): void {
    const wanted = [...new Set([...codes].map(hex))].filter((code) => !this.#codes.has(code))
    for (let from = 0; from < wanted.length; from += batchMax) {
      const batch = wanted.slice(from, from + batchMax)
      const measured = this.measure(batch)
      for (const [index, code] of batch.entries()) {
        const one = measured[index]
        if (one === undefined) continue
        this.#codes.set(code, one)
        this.#isVertical ||= one.isVertical
      }
    }
  }
}

const hex = (code: readonly number[]): string => Buffer.from(code).toString('hex')

interface Shown {
  readonly font: Font
  readonly glyph: number
  readonly code: number
}

/** Collects what the page draws between the reference glyphs that stand after each code. */
class Probe {
  readonly #measured: MeasuredCode[] = []
  readonly #toEms: Matrix
  #glyphs: Corners[] = []
  #text = ''
  #drawn: Point[] = []

  constructor(
    private readonly page: PDFPage,
    private readonly boxes: GlyphBoxes,
  ) {
    const back = mupdf.Matrix.invert(page.getTransform())
    this.#toEms = mupdf.Matrix.concat(back, mupdf.Matrix.scale(1 / size, 1 / size))
  }

  run(): readonly MeasuredCode[] {
    const onImage = (_: Image, ctm: Matrix): void =>
      this.#draw(cornersOf({ left: 0, bottom: 0, right: 1, top: 1 }), ctm)
    const device = new mupdf.Device({
      fillText: (text, ctm) => this.#show(text, ctm),
      strokeText: (text, _stroke, ctm) => this.#show(text, ctm),
      ignoreText: (text, ctm) => this.#end(text, ctm),
      fillPath: (path, _rule, ctm) => this.#draw(pointsOf(path), ctm),
      strokePath: (path, stroke, ctm) => {
        const [left, bottom, right, top] = path.getBounds(stroke, ctm)
        this.#draw(cornersOf({ left, bottom, right, top }), mupdf.Matrix.identity)
      },
      fillImage: onImage,
      fillImageMask: onImage,
      clipImageMask: onImage,
      fillShade: (shade) => {
        // The engine passes it without a reference, but the wrapper releases one.
        raw._wasm_keep_shade(shade.pointer)
        this.#drawn.push(...everywhere)
      },
    })
    try {
      this.page.runPageContents(device, mupdf.Matrix.identity)
      device.close()
      return this.#measured
    } finally {
      device.destroy()
    }
  }

  #draw(points: readonly Point[], ctm: Matrix): void {
    const place = mupdf.Matrix.concat(ctm, this.#toEms)
    for (const point of points) this.#drawn.push(transformed(point, place))
  }

  #show(shown: Text, ctm: Matrix): void {
    shown.walk({
      showGlyph: (font: Font, trm: Matrix, glyph: number, code: number) =>
        this.#add({ font, glyph, code }, this.#placeOf(trm, ctm)),
    })
  }

  #end(shown: Text, ctm: Matrix): void {
    shown.walk({
      showGlyph: (font: Font, trm: Matrix, glyph: number, code: number) => {
        const place = this.#placeOf(trm, ctm)
        // The engine also passes glyphs that it draws as drawings, so that their text can be read.
        if (isDrawnFont(font)) this.#add({ font, glyph, code }, place)
        else this.#measure({ x: place[4], y: place[5] })
      },
    })
  }

  readonly #placeOf = (trm: Matrix, ctm: Matrix): Matrix =>
    mupdf.Matrix.concat(mupdf.Matrix.concat(trm, ctm), this.#toEms)

  /** Of a glyph that stands for several characters, the engine passes the further ones without a glyph. */
  #add({ font, glyph, code }: Shown, place: Matrix): void {
    if (code > 0) this.#text += String.fromCodePoint(code)
    if (glyph >= 0) this.#glyphs.push(...this.boxes.of(font, glyph, place))
  }

  #measure(end: Point): void {
    this.#measured.push(this.#measuredTo(end))
    this.#glyphs = []
    this.#text = ''
    this.#drawn = []
  }

  #measuredTo({ x, y }: Point): MeasuredCode {
    const extra = spacing / size
    const [isAcross, isDown] = [Math.abs(x) > Math.abs(y) && x !== 0, Math.abs(y) > Math.abs(x)]
    const isSpaced = isAcross || isDown
    const advance = isAcross ? { x: wholeUnits(x - extra), y: 0 } : { x: 0, y: isDown ? wholeUnits(y - extra) : 0 }
    const bounds = boundsOf(this.#drawn)
    const body = this.#glyphs.length > 0 ? [] : [bodyOf(advance)]
    const boxes = [...body, ...this.#glyphs, ...(bounds === undefined ? [] : [cornersOf(bounds)])]
    const extent = boundsOf(boxes.flat()) ?? emptyRect
    const text = this.#text
    return { advance, isSpaced, isVertical: isDown, boxes, extent, text, isDrawing: bounds !== undefined }
  }
}

/** Most widths are whole units of glyph space, which single precision does not show exactly. */
const wholeUnits = (ems: number): number =>
  Math.abs(ems * size - Math.round(ems * size)) < 0.01 ? Math.round(ems * size) / size : ems

const bodyOf = ({ x }: Point): Corners => cornersOf({ left: 0, bottom: 0, right: x, top: bodyTop })

function pointsOf(path: Path): readonly Point[] {
  const points: Point[] = []
  const add = (x: number, y: number): void => void points.push({ x, y })
  path.walk({
    moveTo: add,
    lineTo: add,
    curveTo: (a, b, c, d, e, f) => {
      add(a, b)
      add(c, d)
      add(e, f)
    },
  })
  return points
}
