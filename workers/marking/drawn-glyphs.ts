// Glyphs that a page draws, to trim the places of hits: a search answers lines with the height of their font,
// which reaches into the lines above and below, and a redaction would remove letters there.
import type { Matrix, PDFPage, Text } from 'mupdf'
import { boundsOf, cornersOf } from '../annotations/drawing/geometry.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import type { PageSpace } from '../document/page-space.js'
import { mupdf } from '../engine/library.js'
import { GlyphBoxes } from '../redaction/glyph-boxes.js'
import { type Corners, centreOf, transformed } from '../redaction/region.js'

interface DrawnGlyph {
  /** Centre of the body, which is in the line of the glyph alone. */
  readonly centre: PagePoint
  readonly origin: PagePoint
  /** Corners of the body and of the ink. */
  readonly corners: readonly PagePoint[]
}

/**
 * Height and depth, in ems, of a glyph that nobody sees: the letter that is seen there, in the picture of a scanned page,
 * may be larger than its outline.
 */
const hiddenExtent = cornersOf({ left: 0, bottom: -0.22, right: 0, top: 0.76 })
/** Distance in points between the origins of a character and of its glyph, and of another one drawn for bold. */
const originTolerance = 1

/** How far ink may extend beyond the line, as a fraction of its height: some fonts claim any size. */
const overhangMax = 0.5

export class DrawnGlyphs {
  readonly #glyphs: DrawnGlyph[] = []
  readonly #toUser: Matrix

  constructor(
    page: PDFPage,
    private readonly space: PageSpace,
  ) {
    this.#toUser = mupdf.Matrix.invert(page.getTransform())
    const boxes = new GlyphBoxes(0)
    const show = (text: Text, ctm: Matrix) => this.#show(text, ctm, boxes, [])
    const device = new mupdf.Device({
      fillText: show,
      strokeText: (text, _stroke, ctm) => show(text, ctm),
      clipText: show,
      clipStrokeText: (text, _stroke, ctm) => show(text, ctm),
      ignoreText: (text, ctm) => this.#show(text, ctm, boxes, hiddenExtent),
    })
    try {
      page.runPageContents(device, mupdf.Matrix.identity)
      device.close()
    } finally {
      device.destroy()
      boxes.destroy()
    }
  }

  /** Returns the quad with the height of the glyphs at the origins; unchanged if there are none. */
  trimmed(quad: PageQuad, origins: readonly PagePoint[]): PageQuad {
    const { lowerLeft, upperLeft, upperRight, lowerRight } = quad
    const up = { x: upperLeft.x - lowerLeft.x, y: upperLeft.y - lowerLeft.y }
    const square = up.x ** 2 + up.y ** 2
    const heightOf = ({ x, y }: PagePoint) => ((x - lowerLeft.x) * up.x + (y - lowerLeft.y) * up.y) / square
    const inside = this.#of(quad, origins)
    if (!(square > 0) || inside.length === 0) return quad
    const heights = inside.flatMap(({ corners }) => corners.map(heightOf))
    const bottom = Math.max(-overhangMax, min(heights))
    const top = Math.min(1 + overhangMax, -min(heights.map((height) => -height)))
    const raised = ({ x, y }: PagePoint, by: number) => ({ x: x + up.x * by, y: y + up.y * by })
    return {
      upperLeft: raised(upperLeft, top - 1),
      upperRight: raised(upperRight, top - 1),
      lowerLeft: raised(lowerLeft, bottom),
      lowerRight: raised(lowerRight, bottom),
    }
  }

  #of(quad: PageQuad, origins: readonly PagePoint[]): readonly DrawnGlyph[] {
    // A mark above the last letter may have its origin where the line ends, or a little behind that.
    const own = this.#in(widened(quad)).filter(({ origin }) =>
      origins.some(({ x, y }) => Math.hypot(x - origin.x, y - origin.y) <= originTolerance),
    )
    return own.length > 0 ? own : this.#in(quad)
  }

  #in(quad: PageQuad): readonly DrawnGlyph[] {
    const { upperLeft, upperRight, lowerRight, lowerLeft } = quad
    const around = [upperLeft, upperRight, lowerRight, lowerLeft]
    const bounds = boundsOf(around)
    if (bounds === undefined) return []
    const { left, right, bottom, top } = bounds
    return this.#glyphs.filter(
      ({ centre: { x, y } }) => x >= left && x <= right && y >= bottom && y <= top && isInside({ x, y }, around),
    )
  }

  /** `extent`: points in ems that count as part of each glyph. */
  #show(shown: Text, ctm: Matrix, boxes: GlyphBoxes, extent: Corners): void {
    shown.walk({
      showGlyph: (font, trm, glyph) => {
        const place = mupdf.Matrix.concat(mupdf.Matrix.concat(trm, ctm), this.#toUser)
        const shapes = [
          ...boxes.of(font, glyph, place),
          [...extent, origin].map((corner) => transformed(corner, place)),
        ]
        const [body = [], ...others] = shapes.map((shape) => shape.map(({ x, y }) => this.space.toPagePoint(x, y)))
        const own = others.at(-1)?.at(-1)
        if (own === undefined || glyph < 0) return
        this.#glyphs.push({ centre: centreOf(body), origin: own, corners: [body, ...others].flat() })
      },
    })
  }
}

const origin = { x: 0, y: 0 }

/** Returns the quad with the tolerance of origins at each end of the line. */
function widened({ upperLeft, upperRight, lowerLeft, lowerRight }: PageQuad): PageQuad {
  const [x, y] = [lowerRight.x - lowerLeft.x, lowerRight.y - lowerLeft.y]
  const length = Math.hypot(x, y)
  const by = length > 0 ? originTolerance / length : 0
  const moved = (point: PagePoint, steps: number) => ({ x: point.x + x * by * steps, y: point.y + y * by * steps })
  return {
    upperLeft: moved(upperLeft, -1),
    upperRight: moved(upperRight, 1),
    lowerLeft: moved(lowerLeft, -1),
    lowerRight: moved(lowerRight, 1),
  }
}

/** Returns the least number, without an argument for each: there may be very many. */
const min = (numbers: readonly number[]): number => numbers.reduce((least, one) => Math.min(least, one), Infinity)

/** `around`: corners in order, of either direction. */
function isInside({ x, y }: PagePoint, around: readonly PagePoint[]): boolean {
  const sides = around.map((from, index) => {
    const to = around[(index + 1) % around.length] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
  })
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0)
}
