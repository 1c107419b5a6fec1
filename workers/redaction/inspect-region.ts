// Inspects what a page draws inside of a region, operator by operator. It judges the result of a redaction
// independently of the functions that made it.
import type { Image, Matrix, Path, PDFPage, StrokeState, Text } from 'mupdf'
import { boundsOf, cornersOf, type Point } from '../annotations/drawing/geometry.js'
import type { RemovedKind } from '../contract/ops/redactions-apply.js'
import { mupdf, raw } from '../engine/library.js'
import { GlyphBoxes, hairline } from './glyph-boxes.js'
import { areaReaches, lineReaches, outlinePoints } from './ink-inside.js'
import { hasPicture, isPictureUnder } from './inspect-picture.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { type Corners, centreOf, type Region, shrunk, transformed } from './region.js'
import { type RemovedCount, RemovedWhole } from './removed-counts.js'

export interface InspectionResult {
  /** Boxes of glyphs that are partly inside; in the page's user space. */
  readonly glyphs: readonly Corners[]
  /**
   * Middle parts of all glyph bodies inside the region, including blank and clipped glyphs. The box of a glyph on a
   * neighbouring line may reach into the region; its middle part does not.
   */
  readonly middles: readonly Corners[]
  /** Text of the glyphs inside, with a line break where the text moved on. */
  readonly text: string
  readonly images: number
  /** Number of lines, areas, shadings, patterns and clip outlines. */
  readonly drawings: number
  /** Number of remaining objects that are lines and areas. */
  readonly paths: number
  /**
   * Objects drawn through words that are partly inside, by kind: together with glyphs of a clip the engine removes what
   * is drawn through it.
   */
  readonly throughWords: readonly RemovedCount[]
}

/** Clip in effect, from `beginMask` or a clip operator until `popClip`. */
interface Clip {
  /** True if content that is seen through the clip may be visible inside the region. */
  readonly reachesIn: boolean
  readonly isPicture: boolean
  /** True if some glyphs of the word are inside and others are not. */
  readonly isCut: boolean
}

/** Number of points of a closed rectangle. */
const boxPoints = 5
/** Tolerance in points: corners on the edge of a region are not inside. */
const edge = 0.1
/** Share of a glyph's body that is cropped to get its middle part. */
const aroundMiddle = 0.6
/** Minimum area in square points: text scaled to nothing can still be extracted from the file. */
const flatArea = 1e-6

export interface PictureInspection {
  /** Colours that identify blanked pictures. */
  readonly blanks: BlankColors
  /** True if pictures are ignored and not decoded; content shown through masks is still inspected. */
  readonly onlyMasks?: boolean
}

/**
 * Inspects a region, which is in user space. Content on layers that are off is inspected too. Pictures count only if
 * `pictures` is given.
 */
export function inspectRegion(page: PDFPage, region: Region, pictures?: PictureInspection): InspectionResult {
  const inspection = new Inspection(page.getTransform(), region, pictures)
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
  readonly #back: Matrix
  readonly #boxes = new GlyphBoxes()
  readonly #noStroke = new mupdf.StrokeState({
    lineCap: 'Butt',
    lineJoin: 'Miter',
    lineWidth: hairline,
    miterLimit: 10,
  })
  readonly #glyphs: Corners[] = []
  readonly #middles: Corners[] = []
  readonly #clips: Clip[] = []
  /** Nesting depth of patterns. */
  #tiles = 0
  readonly #text: string[] = []
  #images = 0
  #drawings = 0
  #paths = 0
  #glyphCount = 0
  readonly #throughWords = new RemovedWhole()

  constructor(
    place: Matrix,
    region: Region,
    private readonly pictures: PictureInspection | undefined,
  ) {
    this.#inside = region.through(place)
    this.#wellInside = region.inset(edge).through(place)
    this.#back = mupdf.Matrix.invert(place)
  }

  get found(): InspectionResult {
    return {
      glyphs: this.#glyphs,
      middles: this.#middles,
      text: this.#text.join(''),
      images: this.#images,
      drawings: this.#drawings,
      paths: this.#paths,
      throughWords: this.#throughWords.counts,
    }
  }

  destroy(): void {
    this.#boxes.destroy()
    this.#noStroke.destroy()
  }

  device(): InstanceType<typeof mupdf.Device> {
    return new mupdf.Device({
      fillText: (text, ctm) => this.#show(text, ctm),
      strokeText: (text, _stroke, ctm) => this.#show(text, ctm),
      ignoreText: (text, ctm) => this.#show(text, ctm),
      clipText: (text, ctm) => this.#clipToWords(text, ctm),
      clipStrokeText: (text, _stroke, ctm) => this.#clipToWords(text, ctm),
      fillPath: (path, evenOdd, ctm) => this.#onPath(this.#isArea(path, evenOdd, ctm)),
      strokePath: (path, stroke, ctm) => this.#onPath(this.#isLine(path, stroke, ctm)),
      clipPath: (path, evenOdd, ctm) => this.#onOutline(path, this.#isArea(path, evenOdd, ctm), ctm),
      clipStrokePath: (path, stroke, ctm) => this.#onOutline(path, this.#isLine(path, stroke, ctm), ctm),
      fillShade: (shade) => {
        // The engine passes it without a reference, but the wrapper releases one.
        raw._wasm_keep_shade(shade.pointer)
        this.#drawnThroughWords('shadings')
        this.#onEverywhere()
      },
      fillImage: (image, ctm) => this.#onImage(image, ctm),
      fillImageMask: (image, ctm) => this.#onImage(image, ctm),
      clipImageMask: (image, ctm) => this.#clip(this.#onMask(image, ctm), true),
      endMask: () => this.#clip(true),
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

  #clip(reachesIn: boolean, isPicture = false, isCut = false): void {
    this.#clips.push({ reachesIn, isPicture, isCut })
  }

  #clipToWords(text: Text, ctm: Matrix): void {
    const [glyphs, middles] = [this.#glyphCount, this.#middles.length]
    const reachesIn = this.#show(text, ctm)
    const inside = this.#middles.length - middles
    this.#clip(reachesIn, false, inside > 0 && inside < this.#glyphCount - glyphs)
  }

  #drawnThroughWords(kind: RemovedKind): void {
    if (this.#tiles === 0 && this.#clips.some(({ isCut }) => isCut)) this.#throughWords.add(kind)
  }

  get #letsThrough(): boolean {
    return this.#clips.every(({ reachesIn }) => reachesIn)
  }

  /** True outside of patterns. A pattern's cell is drawn once, at any place: the pattern counts where it is painted. */
  get #isSeen(): boolean {
    return this.#tiles === 0 && this.#letsThrough
  }

  /** Returns whether any glyph is inside. */
  #show(shown: Text, ctm: Matrix): boolean {
    if (this.#tiles > 0) return false
    const isSeen = this.#letsThrough
    const before = this.#glyphs.length
    if (isSeen) this.#text.push('\n')
    shown.walk({
      showGlyph: (font, trm, glyph, unicode) => {
        this.#glyphCount++
        const boxes = this.#boxes.of(font, glyph, mupdf.Matrix.concat(trm, ctm))
        const [box = []] = boxes
        if (!boxes.some((one) => this.#inside.touches(one))) {
          if (isFlat(box) && box.some((point) => this.#inside.has(point)))
            this.#middles.push(this.#around(centreOf(box)))
          return
        }
        const body = box.map((corner) => transformed(corner, this.#back))
        this.#middles.push(shrunk(body, aroundMiddle))
        if (!isSeen) return
        const character = unicode > 0 ? String.fromCodePoint(unicode) : ''
        if (unicode <= 0 || character.trim() !== '') this.#glyphs.push(body)
        this.#text.push(character)
      },
    })
    return this.#glyphs.length > before
  }

  #around(point: Point): Corners {
    const { x, y } = transformed(point, this.#back)
    return cornersOf({ left: x - edge, bottom: y - edge, right: x + edge, top: y + edge })
  }

  #isArea(path: Path, isEvenOdd: boolean, ctm: Matrix): boolean {
    return this.#isNear(path, this.#noStroke, ctm) && areaReaches(path, isEvenOdd, ctm, this.#wellInside)
  }

  #isLine(path: Path, stroke: StrokeState, ctm: Matrix): boolean {
    return this.#isNear(path, stroke, ctm) && lineReaches(path, stroke, ctm, this.#wellInside)
  }

  /** Checks the bounding box first, which is enough for most paths. */
  #isNear(path: Path, stroke: StrokeState, ctm: Matrix): boolean {
    const [left, bottom, right, top] = path.getBounds(stroke, ctm)
    return this.#inside.near({ left, bottom, right, top }).length > 0
  }

  #onPath(reachesIn: boolean): void {
    this.#drawnThroughWords('drawings')
    if (!this.#isSeen || !reachesIn) return
    this.#drawings++
    this.#paths++
  }

  #onOutline(path: Path, reachesIn: boolean, ctm: Matrix): void {
    this.#clip(reachesIn)
    if (!this.#isSeen) return
    const outline = outlinePoints(path, ctm)
    // The bounding box of a form is a clip too, but no shape.
    if (outline.length > boxPoints && outline.some((point) => this.#wellInside.has(transformed(point, ctm)))) {
      this.#drawings++
    }
  }

  /** Ignores clips: the file contains the hidden part of a picture all the same. */
  #onImage(image: Image, ctm: Matrix): void {
    this.#drawnThroughWords('pictures')
    if (this.pictures?.onlyMasks !== true && this.#isLeft(image, ctm)) this.#images++
  }

  /** Returns whether the mask lets any content through. */
  #onMask(image: Image, ctm: Matrix): boolean {
    if (this.pictures === undefined) return isPictureUnder(ctm, this.#inside)
    const isLeft = this.#isLeft(image, ctm)
    if (isLeft) this.#images++
    return isLeft
  }

  #isLeft(image: Image, ctm: Matrix): boolean {
    const { pictures } = this
    return pictures !== undefined && this.#tiles === 0 && hasPicture(image, ctm, this.#inside, pictures.blanks)
  }

  /** Counts shadings and patterns, which extend as far as clips permit. */
  #onEverywhere(): void {
    if (!this.#letsThrough) return
    this.#drawings++
    // The content is drawn through a stencil picture, with which it is removed.
    if (this.#clips.some(({ isPicture }) => isPicture)) this.#images++
  }
}

function isFlat(corners: Corners): boolean {
  const { left = 0, bottom = 0, right = 0, top = 0 } = boundsOf(corners) ?? {}
  return (right - left) * (top - bottom) < flatArea
}
