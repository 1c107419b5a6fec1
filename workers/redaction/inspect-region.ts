// Inspects what a page draws inside of a region, operator by operator. It judges the result of a redaction
// independently of the functions that made it.
import type { Image, Matrix, Path, PDFPage, StrokeState, Text } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { pageRef } from '../contract/page-ref.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { OpenDocument } from '../document/open-document.js'
import { mupdf, raw } from '../engine/library.js'
import { isEngineError } from '../engine/trap.js'
import { layersOff, withLayersOn } from '../pages/every-layer.js'
import { Clips, everywhere, nowhere } from './clips.js'
import { DrawnRecord, type DrawnThing, dividedLook } from './drawn-record.js'
import { GlyphBoxes, hairline } from './glyph-boxes.js'
import { outlinePoints, partsWithArea, partsWithLine } from './ink-inside.js'
import { hasPicture, isPictureUnder, unitSquare } from './inspect-picture.js'
import { areUnder } from './marked-glyphs.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { type Corners, type Region, transformed } from './region.js'

export interface InspectionResult {
  /** Text of the glyphs inside, with a line break where the text moved on. */
  readonly text: string
  readonly images: number
  /** Number of lines, areas, shadings, patterns and clip outlines. */
  readonly drawings: number
  /** Everything that the page draws. */
  readonly things: readonly DrawnThing[]
  /** Greatest distance from the marks at which things that reach under them may differ. */
  readonly reach: number
}

/** Number of points of a closed rectangle. */
const boxPoints = 5
/** Tolerance in points: corners on the edge of a region are not inside. */
const edge = 0.1

export interface PictureInspection {
  /** Colours that identify blanked pictures. */
  readonly blanks: BlankColors
  /** True if pictures are ignored and not decoded; content shown through masks is still inspected. */
  readonly onlyMasks?: boolean
}

/**
 * Inspects a region, which is in user space. Pictures count only if `pictures` is given. Layers are turned on. Throws
 * `MalformedPdf` for a page that cannot be drawn.
 */
export function inspectPage(
  document: OpenDocument,
  page: number,
  region: Region,
  pictures?: PictureInspection,
): InspectionResult {
  try {
    return withLayersOn(document.pdf, layersOff(document.pdf), () =>
      document.withContent(page, (loaded) => inspectRegion(loaded, region, pictures)),
    )
  } catch (error) {
    if (!isEngineError(error)) throw error
    throw new JobRefusal('MalformedPdf', 'The page cannot be drawn', { page: pageRef(page) })
  }
}

function inspectRegion(page: PDFPage, region: Region, pictures: PictureInspection | undefined): InspectionResult {
  const [left, bottom, right, top] = page.getBounds('MediaBox')
  const inspection = new Inspection(page.getTransform(), { left, bottom, right, top }, region, pictures)
  const device = inspection.device()
  try {
    page.runPageContents(device, mupdf.Matrix.identity)
    device.close()
    return inspection.found
  } finally {
    device.destroy()
    inspection.destroy()
  }
}

class Inspection {
  readonly #inside: Region
  readonly #wellInside: Region
  readonly #everyPart: ReadonlySet<number>
  readonly #boxes = new GlyphBoxes()
  readonly #noStroke = new mupdf.StrokeState({
    lineCap: 'Butt',
    lineJoin: 'Miter',
    lineWidth: hairline,
    miterLimit: 10,
  })
  readonly #record: DrawnRecord
  readonly #clips: Clips
  /** Nesting depth of patterns. */
  #tiles = 0
  readonly #text: string[] = []
  #images = 0
  #drawings = 0

  constructor(
    place: Matrix,
    page: PdfRect,
    region: Region,
    private readonly pictures: PictureInspection | undefined,
  ) {
    this.#inside = region.through(place)
    this.#wellInside = region.inset(edge).through(place)
    this.#everyPart = new Set(region.parts.keys())
    this.#clips = new Clips(this.#everyPart)
    this.#record = new DrawnRecord(this.#inside, page)
  }

  get found(): InspectionResult {
    return {
      text: this.#text.join(''),
      images: this.#images,
      drawings: this.#drawings,
      things: this.#record.things,
      reach: this.#record.reach,
    }
  }

  destroy(): void {
    this.#boxes.destroy()
    this.#noStroke.destroy()
  }

  device(): InstanceType<typeof mupdf.Device> {
    return new mupdf.Device({
      fillText: (text, ctm, _space, color, alpha) => this.#show(text, ctm, `fill ${color} ${alpha}`),
      strokeText: (text, _stroke, ctm, _space, color, alpha) => this.#show(text, ctm, `stroke ${color} ${alpha}`),
      ignoreText: (text, ctm) => this.#show(text, ctm, 'hidden'),
      clipText: (text, ctm) => this.#clips.push(this.#show(text, ctm, 'clip')),
      clipStrokeText: (text, _stroke, ctm) => this.#clips.push(this.#show(text, ctm, 'clip')),
      fillPath: (path, evenOdd, ctm, _space, color, alpha) =>
        this.#onPath(path, this.#noStroke, ctm, `fill ${evenOdd} ${color} ${alpha}`, (near) =>
          partsWithArea(path, evenOdd, ctm, this.#wellInside, near),
        ),
      strokePath: (path, stroke, ctm, _space, color, alpha) =>
        this.#onPath(path, stroke, ctm, `stroke ${stroke.getLineWidth()} ${color} ${alpha}`, (near) =>
          partsWithLine(path, stroke, ctm, this.#wellInside, near),
        ),
      clipPath: (path, evenOdd, ctm) =>
        this.#onOutline(
          path,
          ctm,
          partsWithArea(path, evenOdd, ctm, this.#wellInside, this.#near(path, this.#noStroke, ctm)),
        ),
      clipStrokePath: (path, stroke, ctm) =>
        this.#onOutline(path, ctm, partsWithLine(path, stroke, ctm, this.#wellInside, this.#near(path, stroke, ctm))),
      fillShade: (shade) => {
        // The engine passes it without a reference, but the wrapper releases one.
        raw._wasm_keep_shade(shade.pointer)
        if (this.#tiles === 0) this.#record.shading(this.#clips.bounds, this.#clips.letThrough)
        this.#onEverywhere()
      },
      fillImage: (image, ctm) => this.#onImage(image, ctm),
      fillImageMask: (image, ctm) => this.#onImage(image, ctm),
      clipImageMask: (image, ctm) =>
        this.#clips.push(this.#onMask(image, ctm) ? this.#everyPart : nowhere, { isPicture: true }),
      beginMask: () => this.#record.beginMask(),
      endMask: () => {
        this.#record.endMask()
        this.#clips.push(this.#everyPart)
      },
      popClip: () => {
        this.#clips.pop()
      },
      beginTile: () => {
        if (this.#tiles++ === 0) this.#onEverywhere()
        return 0
      },
      endTile: () => {
        this.#tiles--
      },
    })
  }

  /** Returns the parts of the region with glyphs. */
  #show(shown: Text, ctm: Matrix, use: string): ReadonlySet<number> {
    const parts = new Set<number>()
    // A pattern's cell is drawn once, at any place: the pattern counts where it is painted.
    if (this.#tiles > 0) return parts
    this.#text.push('\n')
    let [boxes, bounds]: [readonly Corners[] | undefined, PdfRect] = [undefined, everywhere]
    shown.walk({
      showGlyph: (font, trm, glyph, unicode) => {
        const place = mupdf.Matrix.concat(trm, ctm)
        // A glyph that stands for several characters is followed by one without a number for each of the others.
        if (glyph >= 0) {
          bounds = this.#boxes.boundsOf(font, glyph, place)
          boxes = this.#record.isNear(bounds) ? this.#boxes.of(font, glyph, place) : undefined
        }
        this.#record.glyph(`${use} ${this.#boxes.nameOf(font)} ${glyph} ${unicode}`, place, bounds, boxes)
        if (boxes === undefined || !areUnder(boxes, this.#inside)) return
        const touched = boxes.flatMap((box) => this.#inside.partsTouching(box))
        for (const part of touched) parts.add(part)
        if (this.#clips.visibleIn(new Set(touched)).size > 0 && unicode > 0)
          this.#text.push(String.fromCodePoint(unicode))
      },
    })
    return parts
  }

  #boundsOf(path: Path, stroke: StrokeState, ctm: Matrix): PdfRect {
    const [left, bottom, right, top] = path.getBounds(stroke, ctm)
    return { left, bottom, right, top }
  }

  /** Returns the parts of the region that the bounding box of a path meets. */
  #near(path: Path, stroke: StrokeState, ctm: Matrix): readonly number[] {
    return this.#inside.partsNear(this.#boundsOf(path, stroke, ctm))
  }

  #onPath(
    path: Path,
    stroke: StrokeState,
    ctm: Matrix,
    use: string,
    partsIn: (near: readonly number[]) => ReadonlySet<number>,
  ): void {
    if (this.#tiles > 0) return
    const bounds = this.#boundsOf(path, stroke, ctm)
    const reach = stroke === this.#noStroke ? 0 : this.#boundsOf(path, this.#noStroke, ctm).left - bounds.left
    this.#record.path(`${use} ${digestOf(path)}`, ctm, bounds, reach)
    const near = this.#inside.partsNear(bounds)
    if (near.length > 0 && this.#clips.visibleIn(partsIn(near)).size > 0) this.#drawings++
  }

  #onOutline(path: Path, ctm: Matrix, parts: ReadonlySet<number>): void {
    this.#clips.push(parts, { bounds: this.#boundsOf(path, this.#noStroke, ctm) })
    if (this.#tiles > 0 || !this.#clips.letThrough) return
    const outline = outlinePoints(path, ctm)
    // The bounding box of a form is a clip too, but no shape.
    if (outline.length > boxPoints && outline.some((point) => this.#wellInside.has(transformed(point, ctm)))) {
      this.#drawings++
    }
  }

  /** Ignores clips: the file contains the hidden part of a picture all the same. */
  #onImage(image: Image, ctm: Matrix): void {
    this.#recordPicture(image, ctm)
    if (this.pictures?.onlyMasks !== true && this.#isLeft(image, ctm)) this.#images++
  }

  /** Returns whether the mask lets any content through. */
  #onMask(image: Image, ctm: Matrix): boolean {
    this.#recordPicture(image, ctm)
    if (this.pictures === undefined) return isPictureUnder(ctm, this.#inside)
    const isLeft = this.#isLeft(image, ctm)
    if (isLeft) this.#images++
    return isLeft
  }

  #recordPicture(image: Image, ctm: Matrix): void {
    if (this.#tiles > 0) return
    const corners = unitSquare.map((corner) => transformed(corner, ctm))
    const isUnder = isPictureUnder(ctm, this.#inside)
    const [wide, high] = [image.getWidth(), image.getHeight()]
    const [a, b, c, d] = ctm
    const pixel = Math.max(Math.hypot(a, b) / wide, Math.hypot(c, d) / high)
    const sure = `${wide} ${high} ${image.getBitsPerComponent()}`
    const look = isUnder ? (pixel > undividedMax ? dividedLook : '') : sure
    this.#record.picture(look, ctm, corners, isUnder, 2 * Math.min(pixel, undividedMax))
  }

  #isLeft(image: Image, ctm: Matrix): boolean {
    const { pictures } = this
    return pictures !== undefined && this.#tiles === 0 && hasPicture(image, ctm, this.#inside, pictures.blanks)
  }

  /** Counts shadings and patterns, which extend as far as clips permit. */
  #onEverywhere(): void {
    if (!this.#clips.letThrough) return
    this.#drawings++
    // The content is drawn through a stencil picture, with which it is removed.
    if (this.#clips.havePicture) this.#images++
  }
}

/** Larger than any page (ISO 32000-2, annex C). */
/** Size in points of the largest pixels that are not divided. */
const undividedMax = 4

/** Returns a number that differs for paths of other points. */
function digestOf(path: Path): number {
  let digest = 0
  const numbers = new Float64Array(1)
  const halves = new Uint32Array(numbers.buffer)
  const add = (...points: readonly number[]): void => {
    digest = (Math.imul(digest, 31) + points.length) | 0
    for (const point of points) {
      numbers[0] = point
      digest = (Math.imul(digest ^ (halves[0] ?? 0), 0x5bd1e995) ^ (halves[1] ?? 0) ^ (digest >>> 15)) | 0
    }
  }
  path.walk({ moveTo: add, lineTo: add, curveTo: add, closePath: add })
  return digest
}
