// Pictures of stamps: a page of a PDF as a form, or a PNG or JPEG as an image.
import { readFileSync } from 'node:fs'
import type { Image, PDFDocument, PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { Resource } from '../change/unfinished-item.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { pageBoxes, pageRotation } from '../document/page-boxes.js'
import { mupdf } from '../engine/library.js'
import { isTrap } from '../engine/trap.js'
import { hasHeader, openPdf } from '../file/open-pdf.js'
import { ownKeys } from '../objects/own-keys.js'
import { rectangleOf } from '../objects/rectangles.js'
import { streamBytes } from '../objects/streams.js'
import { elementsOf, entry, isArray, isMissing, isStream, nameOf, numberOf, numbersOf } from '../objects/values.js'
import { CopyLimits } from './appearances/copy-limits.js'
import { boundsOf, cornersOf, type Point } from './drawing/geometry.js'

/** Resource name of the picture in a stamp's appearance, by which it is found again. */
export const pictureName = 'STWDPicture'

/** Maximum size of one picture, and of the content of one page. */
const pictureBytesMax = 32 * 1024 * 1024
const contentBytesMax = 16 * 1024 * 1024
/** Maximum number of pixels of one picture. */
const pixelsMax = 40_000_000
const contentStreamsMax = 1_000

const signatures: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
]

export function pictureFrom(change: Change, resource: Resource): PDFObject {
  if (resource.sizeBytes > pictureBytesMax) {
    const details = { limit: 'pictureBytesMax', max: pictureBytesMax, value: resource.sizeBytes }
    throw new JobRefusal('PayloadTooLarge', `A picture has more than ${pictureBytesMax} bytes`, details)
  }
  const bytes = readFileSync(resource.path)
  if (signatures.some((signature) => signature.every((byte, place) => bytes[place] === byte))) {
    return imageFrom(change, bytes)
  }
  if (hasHeader(resource.path)) return pageFrom(change, resource.path)
  throw unusable('The appearance must be a PDF of one page, a PNG or a JPEG')
}

function imageFrom({ pdf }: Change, bytes: Uint8Array): PDFObject {
  let image: Image | undefined
  try {
    image = new mupdf.Image(bytes)
    if (image.getWidth() * image.getHeight() > pixelsMax) throw unusable(`A picture has more than ${pixelsMax} pixels`)
    const picture = pdf.addImage(image)
    picture.put(ownKeys.brought, true)
    return picture
  } catch (error) {
    if (isTrap(error) || error instanceof JobRefusal) throw error
    throw unusable('The appearance is a picture that cannot be read')
  } finally {
    image?.destroy()
  }
}

function pageFrom({ pdf }: Change, path: string): PDFObject {
  let source: PDFDocument | undefined
  try {
    source = openPdf(path)
    if (source.needsPassword()) throw unusable('The appearance is an encrypted PDF')
    if (source.countPages() !== 1) throw unusable('The appearance must be a PDF of one page')
    return formOf(pdf, source.findPage(0))
  } catch (error) {
    if (isTrap(error) || (error instanceof JobRefusal && error.code !== 'DocOpenFailed')) throw error
    throw unusable('The appearance is a PDF that cannot be read')
  } finally {
    source?.destroy()
  }
}

function formOf(pdf: PDFDocument, page: PDFObject): PDFObject {
  const resources = page.getInheritable('Resources')
  new CopyLimits().checkCopy(resources, refuseOtherFiles)
  const { left, bottom, right, top } = pageBoxes(page).crop
  const form = pdf.addStream(contentOf(page), {})
  form.put('Type', pdf.newName('XObject'))
  form.put('Subtype', pdf.newName('Form'))
  form.put(ownKeys.brought, true)
  form.put('BBox', [left, bottom, right, top])
  form.put('Matrix', turns[pageRotation(page)])
  if (!isMissing(resources)) form.put('Resources', pdf.graftObject(resources))
  const group = entry(page, 'Group')
  if (!isMissing(group)) {
    new CopyLimits().checkCopy(group)
    form.put('Group', pdf.graftObject(group))
  }
  return form
}

/**
 * Refuses what is drawn from another file: data of a stream outside of the PDF (ISO 32000-2, 7.3.8.2), pages of other
 * PDFs (8.10.4) and pictures that a prepress server replaces (`/OPI`). A reader would fetch it, and nothing signs it.
 */
function refuseOtherFiles(object: PDFObject): void {
  const isOutside = isStream(object) && ['F', 'Ref', 'OPI'].some((key) => !isMissing(entry(object, key)))
  if (isOutside) throw unusable('The appearance refers to another file')
}

/** Matrices by page rotation, clockwise. */
const turns: Readonly<Record<0 | 90 | 180 | 270, number[]>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, -1, 1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, 1, -1, 0, 0, 0],
}

/** Returns the content of a page: one stream, or several that are read as one (ISO 32000-2, table 31). */
function contentOf(page: PDFObject): Uint8Array {
  const contents = entry(page, 'Contents')
  const streams = isArray(contents) ? [...elementsOf(contents, contentStreamsMax)] : [contents]
  const parts = streams.filter(isStream).map((stream) => {
    const bytes = streamBytes(stream, contentBytesMax)
    if (bytes === undefined) throw unusable('The content of the appearance cannot be read')
    return Buffer.concat([bytes, Buffer.from('\n')])
  })
  return Buffer.concat(parts)
}

/** Returns the natural bounds of a picture: the unit square of an image, the box of a form. */
export function naturalBounds(picture: PDFObject): PdfRect {
  const unit: PdfRect = { left: 0, bottom: 0, right: 1, top: 1 }
  if (nameOf(entry(picture, 'Subtype')) === 'Image') return unit
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(entry(picture, 'Matrix'), 6) ?? []
  const turned = ({ x, y }: Point): Point => ({ x: a * x + c * y + e, y: b * x + d * y + f })
  return boundsOf(cornersOf(rectangleOf(entry(picture, 'BBox')) ?? unit).map(turned)) ?? unit
}

/** Returns width and height in their natural proportion; for an image its pixels. */
export function naturalSize(picture: PDFObject): { readonly width: number; readonly height: number } {
  if (nameOf(entry(picture, 'Subtype')) === 'Image') {
    return {
      width: Math.max(1, numberOf(entry(picture, 'Width')) ?? 1),
      height: Math.max(1, numberOf(entry(picture, 'Height')) ?? 1),
    }
  }
  const { left, bottom, right, top } = naturalBounds(picture)
  return { width: Math.max(smallest, right - left), height: Math.max(smallest, top - bottom) }
}

/** Minimum side in points; smaller pictures have no proportions. */
const smallest = 0.001

const unusable = (message: string): JobRefusal => new JobRefusal('InvalidArg', message, { role: 'appearance' })
