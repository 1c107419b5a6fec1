// Takes glyphs, pixels and lines out of a page's content. Glyphs and pixels the engine takes out, lines and areas we do;
// what is left is looked for, and taken out with a wider box, or a picture or drawing as a whole, until nothing is found.
import type { PDFObject } from 'mupdf'
import { emptyRect } from '../../pdf/rectangles.js'
import { JobRefusal } from '../../task.js'
import { boundsOf } from '../annotations/drawing/geometry.js'
import type { Change } from '../change.js'
import type { PathMethod } from './content/path-sieve.js'
import { siftPage } from './content/sift-page.js'
import { lookUnder } from './look-under.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { PictureBlanker } from './pictures/picture-blanker.js'
import { boundsOfParts, type Corners, Region } from './region.js'
import type { RemovedWhole } from './removed-whole.js'
import { boxesOf } from './strips.js'

/** Black boxes are ours to draw. */
const noBoxes = false
/** The engine leaves pictures as they are, or takes every one out that is under a mark. */
const pictures = { ours: 0, whole: 1 } as const
/** The engine goes by the boxes around lines and areas: these are ours to take out. */
const noLines = 0
const text = 0
const roundsMax = 4
/** Edges of paths, times shapes of the region: a second or two. */
const effortMax = 2_000_000

/** Glyphs that are named to the engine one by one; of more, it gets the region. */
const middlesMax = 5_000

export interface Removal {
  readonly page: number
  readonly region: Region
  /** Middles of the glyphs in it (`Found.middles`); undefined = there may be glyphs that no device is shown. */
  readonly middles: readonly Corners[] | undefined
  readonly removed: RemovedWhole
}

/** Returns what blank pixels of pictures look like. Throws `MalformedPdf` where something cannot be taken out. */
export function takeOut(change: Change, { page, region, middles, removed }: Removal): BlankColors {
  // The engine goes by boxes as high as the font's tallest and deepest letters: lines above and below reach into a mark.
  let wanted = middles === undefined || middles.length > middlesMax ? region : new Region(middles)
  let method: number = pictures.ours
  let paths: PathMethod = { kind: 'divide', effort: { left: effortMax } }
  const blanker = new PictureBlanker(change, region)
  for (let round = 0; round < roundsMax; round++) {
    redact(change, page, wanted, method)
    siftPage({ change, region, removed, paths, pictures: blanker }, change.document.pageObject(page))
    const left = change.document.withPage(page, (loaded) => lookUnder(loaded, region, blanker))
    const isOut = left.glyphs.length + left.images + left.drawings === 0
    // Blank glyphs and hidden ones are not proved to be gone, but the engine is asked for them once more.
    if (isOut && (left.middles.length === 0 || round > 0)) return blanker.blanks
    wanted = region.with(left.glyphs)
    if (left.paths > 0) paths = { kind: 'whole' }
    if (left.images === 0 || method === pictures.whole) continue
    method = pictures.whole
    removed.add('pictures', blanker.count)
  }
  throw new JobRefusal('MalformedPdf', 'Something under the marks cannot be taken out of the page')
}

/** The engine applies every mark there is on a page, so for as long as that takes there is only ours. */
function redact(change: Change, page: number, region: Region, method: number): void {
  const object = change.document.pageObject(page)
  const annots = object.get('Annots')
  const mark = markFor(change, region)
  object.put('Annots', [mark])
  change.document.withPage(page, (loaded) => loaded.applyRedactions(noBoxes, method, noLines, text))
  if (annots.isNull()) object.delete('Annots')
  else object.put('Annots', annots)
  change.pdf.deleteObject(mark)
}

function markFor({ pdf }: Change, region: Region): PDFObject {
  const boxes = boxesOf(region)
  const { left, bottom, right, top } = boundsOfParts(boxes) ?? emptyRect
  // Upper left, upper right, lower left, lower right: the order everybody writes, whatever the standard says.
  const quads = boxes.map(boundsOf).flatMap((box) => {
    if (box === undefined) return []
    return [box.left, box.top, box.right, box.top, box.left, box.bottom, box.right, box.bottom]
  })
  const mark = pdf.newDictionary()
  mark.put('Type', pdf.newName('Annot'))
  mark.put('Subtype', pdf.newName('Redact'))
  mark.put('Rect', [left, bottom, right, top])
  mark.put('QuadPoints', quads)
  return pdf.addObject(mark)
}
