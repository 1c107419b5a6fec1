// Records what a page draws, thing by thing, as a device receives it: what is beside the marks must be the same after a
// redaction.
import type { Matrix } from 'mupdf'
import { boundsOf, outset } from '../annotations/drawing/geometry.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { areUnder } from './marked-glyphs.js'
import type { Corners, Region } from './region.js'

export interface DrawnThing {
  readonly kind: 'glyph' | 'path' | 'picture' | 'shading'
  /** Everything but the place: font, glyph and colour, or the points of a path. */
  readonly look: string
  readonly place: Matrix
  readonly bounds: PdfRect
  /** False if the thing lies under a mark, true if it does not reach one; undefined if a part may be left of it. */
  readonly stays: boolean | undefined
}

/** Look of a picture under a mark whose pixels are divided: readers smooth larger pixels otherwise. */
export const dividedLook = 'divided'

/** Distance in points within which a place counts as on the edge of a mark: engines compute in single precision. */
const edge = 0.02
const near = 0.1
/** Least extent of what is drawn, in points: readers draw lines without a width as thin as they can. */
const thinnest = 0.1

export class DrawnRecord {
  readonly things: DrawnThing[] = []
  /** Greatest distance in points from the marks at which things that reach under them may differ. */
  reach = 0
  readonly #inner: Region
  readonly #outer: Region
  /** Nesting of soft masks, whose content may leave whole. */
  #masks = 0

  /**
   * `region`, `page`: in the space of the device. The engine also passes tiles of patterns that lie beside the page, whose
   * cell has nothing any more that lay under a mark on it.
   */
  constructor(
    private readonly region: Region,
    private readonly page: PdfRect,
  ) {
    this.#inner = region.inset(edge)
    this.#outer = region.inset(-edge)
  }

  beginMask(): void {
    this.#masks++
  }

  endMask(): void {
    this.#masks--
  }

  /** True if a box is so near to the region that what it contains may be under a mark. */
  isNear({ left, bottom, right, top }: PdfRect): boolean {
    const around = { left: left - near, bottom: bottom - near, right: right + near, top: top + near }
    return this.region.partsNear(around).length > 0
  }

  /** `boxes`: those of a glyph that is near; undefined for any other. */
  glyph(look: string, place: Matrix, bounds: PdfRect, boxes: readonly Corners[] | undefined): void {
    this.#add('glyph', look, place, bounds, boxes === undefined || this.#isBeside(boxes))
  }

  #isBeside(boxes: readonly Corners[]): boolean | undefined {
    const isUnder = areUnder(boxes, this.region)
    return areUnder(boxes, isUnder ? this.#inner : this.#outer) === isUnder ? !isUnder : undefined
  }

  /** `reach`: distance between the line and the edge of its ink. */
  path(look: string, place: Matrix, bounds: PdfRect, reach: number): void {
    const reaches = this.#outer.meets(outset(bounds, thinnest))
    if (reaches) this.reach = Math.max(this.reach, reach)
    this.#add('path', look, place, bounds, reaches ? undefined : true)
  }

  /** `reach`: size of two pixels, which are blanked whole and blend with others. */
  picture(look: string, place: Matrix, corners: Corners, isUnder: boolean, reach: number): void {
    if (isUnder) this.reach = Math.max(this.reach, reach)
    this.#add('picture', look, place, boundsOf(corners), isUnder ? undefined : true)
  }

  /** A shading extends as far as its clips permit. */
  shading(clip: PdfRect, reaches: boolean): void {
    this.#add('shading', '', [clip.left, clip.bottom, clip.right, clip.top, 0, 0], clip, reaches ? undefined : true)
  }

  #add(
    kind: DrawnThing['kind'],
    look: string,
    place: Matrix,
    bounds: PdfRect | undefined,
    stays: boolean | undefined,
  ): void {
    if (bounds === undefined) return
    const mayLeave = this.#masks > 0 || isApart(bounds, this.page)
    this.things.push({ kind, look, place, bounds, stays: mayLeave ? undefined : stays })
  }
}

const isApart = (one: PdfRect, other: PdfRect): boolean =>
  one.right < other.left || one.left > other.right || one.top < other.bottom || one.bottom > other.top
