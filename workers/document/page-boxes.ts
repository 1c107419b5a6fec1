// The five boxes of a page, its rotation and its unit, inherited and repaired as readers do (ISO 32000-2, 14.11.2).
import type { PDFObject } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { QuarterTurn } from '../contract/quarter-turn.js'
import { orElse } from '../engine/trap.js'
import { intersection, isEmpty, rectangleOf } from '../objects/rectangles.js'
import { entry, numberOf, positiveOf } from '../objects/values.js'

export interface PageBoxes {
  readonly media: PdfRect
  readonly crop: PdfRect
  readonly bleed: PdfRect
  readonly trim: PdfRect
  readonly art: PdfRect
}

/** Default of a page without a usable media box: US Letter. */
const letter: PdfRect = { left: 0, bottom: 0, right: 612, top: 792 }
const quarterTurns: readonly QuarterTurn[] = [0, 90, 180, 270]

export function pageBoxes(page: PDFObject): PageBoxes {
  const media = mediaBoxOf(page)
  const within = (object: PDFObject, otherwise: PdfRect): PdfRect => {
    const box = rectangleOf(object)
    if (box === undefined) return otherwise
    const visible = intersection(box, media)
    return isEmpty(visible) ? otherwise : visible
  }
  const crop = within(inherited(page, 'CropBox'), media)
  return {
    media,
    crop,
    bleed: within(entry(page, 'BleedBox'), crop),
    trim: within(entry(page, 'TrimBox'), crop),
    art: within(entry(page, 'ArtBox'), crop),
  }
}

/** True if crop box and media box do not overlap: readers then show the media box, the engine nothing. */
export function hasStrayCropBox(page: PDFObject): boolean {
  const crop = rectangleOf(inherited(page, 'CropBox'))
  if (crop === undefined) return false
  return isEmpty(intersection(crop, mediaBoxOf(page)))
}

export function pageRotation(page: PDFObject): QuarterTurn {
  return quarterTurnOf(numberOf(inherited(page, 'Rotate')) ?? 0)
}

/** Rounds an angle to the nearest multiple of 90 degrees. */
export function quarterTurnOf(degrees: number): QuarterTurn {
  const quarters = Math.round(degrees / 90) % 4
  return quarterTurns[(quarters + 4) % 4] ?? 0
}

export const userUnit = (page: PDFObject): number => positiveOf(entry(page, 'UserUnit')) ?? 1

function mediaBoxOf(page: PDFObject): PdfRect {
  const box = rectangleOf(inherited(page, 'MediaBox'))
  return box !== undefined && !isEmpty(box) ? box : letter
}

/** Returns an inherited entry; the engine stops at cyclic parents. */
function inherited(page: PDFObject, key: string): PDFObject {
  return orElse(entry(page, key), () => page.getInheritable(key))
}
