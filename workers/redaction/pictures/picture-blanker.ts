// Blanks the parts of a page's pictures that lie under marks. Each use gets its own copy, so other uses are unaffected,
// and only pixels under the marks are altered: colour space, depth, masks and photographic coding are retained.
import type { Matrix, PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { withPixels } from '../../engine/engine-memory.js'
import { mupdf } from '../../engine/library.js'
import { orElse } from '../../engine/trap.js'
import { entry, isStream, objectNumberOf } from '../../objects/values.js'
import { isFlat, isPictureUnder } from '../inspect-picture.js'
import type { Region } from '../region.js'
import { BlankColors } from './blank-colors.js'
import { blankedJpeg } from './blanked-jpeg.js'
import { type DecodedPicture, shownSamples, storedSamples } from './decoded-picture.js'
import { addPicture } from './picture-object.js'
import { type PictureRole, type PictureSource, sourceOf } from './picture-source.js'
import { PixelArea } from './pixel-area.js'
import { blankSamples, bytesOf, repeated, type SampleLayout } from './samples.js'

/** Tolerance in pixels: neighbours that a mark only touches are not blanked. */
const tolerance = 0.02
/** Maximum pixel size in points: larger pixels are subdivided to retain what is beside a mark. */
const pixelSizeMax = 4
/** Maximum size of a picture after subdividing. */
const dividedBytesMax = 16 * 1024 * 1024
/** Maximum bytes of samples of one picture, and of all pictures of a page including copies for each use. */
const pictureBytesMax = 256 * 1024 * 1024
const pageBytesMax = 1024 * 1024 * 1024

/** Result of blanking; undefined if the picture cannot be blanked in part and must be removed. */
export type BlankedPicture = PDFObject | undefined

export class PictureBlanker {
  readonly blanks = new BlankColors()
  readonly #made = new Set<number>()
  readonly #known = new Map<string, BlankedPicture>()
  #bytesLeft = pageBytesMax

  constructor(
    private readonly change: Change,
    private readonly region: Region,
  ) {}

  get count(): number {
    return this.#made.size
  }

  /**
   * Blanks a picture; returns the same one if no part of it is under a mark. `ctm` maps the unit square to the page.
   */
  blanked(picture: PDFObject, ctm: Matrix): BlankedPicture {
    const number = objectNumberOf(picture)
    if (number === undefined || this.#made.has(number) || !this.isUnder(ctm)) return picture
    const key = `${number} ${ctm.join(' ')}`
    if (!this.#known.has(key))
      this.#known.set(
        key,
        orElse(undefined, () => this.#withMasks(picture, ctm)),
      )
    const blanked = this.#known.get(key)
    const made = blanked === undefined ? undefined : objectNumberOf(blanked)
    if (made !== undefined && made !== number) this.#made.add(made)
    return blanked
  }

  isUnder(ctm: Matrix): boolean {
    return isPictureUnder(ctm, this.region)
  }

  #withMasks(picture: PDFObject, ctm: Matrix): BlankedPicture {
    if (isFlat(ctm)) return undefined
    const made = this.#one(picture, ctm, 'colors')
    if (made === undefined || made === picture) return made
    for (const [key, role] of Object.entries(maskRoles)) {
      const mask = entry(made, key)
      if (!isStream(mask)) continue
      const blanked = this.#one(mask, ctm, role)
      if (blanked === undefined) return undefined
      made.put(key, blanked)
    }
    return made
  }

  #one(picture: PDFObject, ctm: Matrix, role: PictureRole): BlankedPicture {
    const source = sourceOf(picture, role)
    if (source !== undefined && !this.#fits(source.layout)) return undefined
    const jpeg = source === undefined ? undefined : this.#jpeg(source, ctm)
    if (jpeg !== undefined) return jpeg
    const { pdf } = this.change
    const decoded = (source && storedSamples(source)) ?? shownSamples(pdf, picture, role)
    if (decoded === undefined) return undefined
    const divided = dividedFor(decoded, ctm)
    const area = this.#areaOf(divided.layout, ctm)
    if (area.isEmpty) return picture
    blankSamples(divided.samples, divided.layout, area, divided.blank)
    return this.#judged(addPicture(pdf, picture, divided, source?.filters ?? []), area, false)
  }

  #jpeg({ object, ...source }: PictureSource, ctm: Matrix): BlankedPicture {
    const { wide, high } = divisionOf(source.layout, ctm)
    if (wide * high > 1) return undefined
    const area = this.#areaOf(source.layout, ctm)
    if (area.isEmpty) return object
    const made = blankedJpeg(this.change.pdf, { object, ...source }, area)
    return made === undefined ? undefined : this.#judged(made, area, true)
  }

  /** Records how the blanked area looks when rendered by the engine. */
  #judged(made: PDFObject, area: PixelArea, isLossy: boolean): PDFObject {
    const image = this.change.pdf.loadImage(made)
    const pixmap = image.toPixmap()
    try {
      withPixels(pixmap, (pixels) => this.blanks.learn(pixels, area, isLossy))
    } finally {
      pixmap.destroy()
      image.destroy()
    }
    return made
  }

  #areaOf({ width, height }: SampleLayout, ctm: Matrix): PixelArea {
    // The first row of a picture is at the top of the unit square.
    const toPixels: Matrix = [width, 0, 0, -height, 0, height]
    const region = this.region.through(mupdf.Matrix.invert(ctm)).through(toPixels)
    return PixelArea.under(region, { width, height }, tolerance)
  }

  #fits(layout: SampleLayout): boolean {
    const bytes = bytesOf(layout)
    this.#bytesLeft -= bytes
    return bytes <= pictureBytesMax && this.#bytesLeft >= 0
  }
}

const maskRoles: Readonly<Record<string, PictureRole>> = { SMask: 'alpha', Mask: 'colors' }

function dividedFor(decoded: DecodedPicture, ctm: Matrix): DecodedPicture {
  const { wide, high } = divisionOf(decoded.layout, ctm)
  if (wide * high === 1) return decoded
  return { ...decoded, ...repeated(decoded.samples, decoded.layout, wide, high) }
}

/** Number of parts per pixel side, each about one point large. */
function divisionOf(layout: SampleLayout, [a, b, c, d]: Matrix): { readonly wide: number; readonly high: number } {
  const part = (size: number): number => (size > pixelSizeMax ? Math.ceil(size) : 1)
  let [wide, high] = [part(Math.hypot(a, b) / layout.width), part(Math.hypot(c, d) / layout.height)]
  while (bytesOf({ ...layout, width: layout.width * wide, height: layout.height * high }) > dividedBytesMax) {
    if (wide * high === 1) break
    if (wide > high) wide = Math.ceil(wide / 2)
    else high = Math.ceil(high / 2)
  }
  return { wide, high }
}
