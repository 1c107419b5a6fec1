// Removes glyphs, pixels and lines from a page's content. The engine removes glyphs and pixels, this code removes
// lines and areas; the result is inspected, and anything that remains is removed with a wider box, or completely,
// until nothing is found.
import type { PDFObject } from 'mupdf'
import { boundsOf } from '../annotations/drawing/geometry.js'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { emptyRect } from '../objects/rectangles.js'
import { withAnchoredText } from './content/anchor-page.js'
import { withDefaultSpaces } from './content/default-spaces.js'
import type { PathMethod } from './content/path-sieve.js'
import { siftPage } from './content/sift-page.js'
import { inspectRegion } from './inspect-region.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { PictureBlanker } from './pictures/picture-blanker.js'
import { boundsOfParts, type Corners, Region } from './region.js'
import type { RemovedWhole } from './removed-counts.js'
import { boxesOf } from './strips.js'
import { bySlant, whileTurned } from './turned-page.js'

/** Option of the engine: black boxes are drawn by our code. */
const noBoxes = false
/** Picture modes of the engine: leave all pictures alone, or remove every picture under a mark. */
const pictures = { ours: 0, whole: 1 } as const
/** Line mode that leaves lines and areas alone: the engine removes them by their bounding boxes, our code exactly. */
const noLines = 0
const text = 0
const roundsMax = 4
/** Maximum effort, path edges times shapes of the region: one or two seconds. */
const effortMax = 2_000_000

/** Maximum number of glyphs passed to the engine one by one; above it, the engine gets the region. */
const middlesMax = 5_000

export interface Removal {
  readonly page: number
  readonly region: Region
  /**
   * Middle parts of the glyphs in the region (`Found.middles`); undefined if there may be glyphs that no device
   * receives.
   */
  readonly middles: readonly Corners[] | undefined
  readonly removed: RemovedWhole
  /** True if the page or a form it draws sets default colour spaces. */
  readonly hasDefaultSpaces: boolean
}

/** Returns the colours of blanked pixels. Throws `MalformedPdf` if something cannot be removed. */
export function removeContent(change: Change, removal: Removal): BlankColors {
  const { page, region, middles, removed } = removal
  // The engine's glyph boxes have the height of the font's tallest and deepest glyphs, so those of adjacent lines reach
  // into a mark.
  let wanted = middles === undefined || middles.length > middlesMax ? region : new Region(middles)
  const isEachGlyph = wanted !== region
  let method: number = pictures.ours
  let paths: PathMethod = { kind: 'divide', effort: { left: effortMax } }
  const blanker = new PictureBlanker(change, region)
  for (let round = 0; round < roundsMax; round++) {
    const object = change.document.pageObject(page)
    const rewrite = (): void => {
      const anchors = withAnchoredText(change, object, () => {
        if (isEachGlyph && round === 0) redactGlyphs(change, page, wanted, method)
        else redact(change, page, wanted, method)
      })
      siftPage({ change, region, removed, paths, pictures: blanker, anchors }, object)
    }
    if (removal.hasDefaultSpaces) withDefaultSpaces(change, object, rewrite)
    else rewrite()
    const left = change.document.withContent(page, (loaded) => inspectRegion(loaded, region, blanker))
    const isOut = left.glyphs.length + left.images + left.drawings === 0
    // The inspection does not cover blank and hidden glyphs, so the engine is run for them once more.
    if (isOut && (left.middles.length === 0 || round > 0)) return blanker.blanks
    wanted = region.with(left.glyphs)
    if (left.paths > 0) paths = { kind: 'whole' }
    if (left.images === 0 || method === pictures.whole) continue
    method = pictures.whole
    removed.add('pictures', blanker.count)
  }
  throw new JobRefusal('MalformedPdf', 'Some content under the marks cannot be removed')
}

/** Runs the engine for the middles of glyphs: upright ones, and slanted ones on a page that is turned meanwhile. */
function redactGlyphs(change: Change, page: number, middles: Region, method: number): void {
  const { upright, slanted } = bySlant(middles.parts)
  const left = slanted.filter(
    (group) =>
      !whileTurned(change, change.document.pageObject(page), group, (region) => redact(change, page, region, method)),
  )
  const others = [upright, ...left.map(({ parts }) => parts)].flat()
  // The engine also runs for nothing: what follows filters only content that it wrote.
  if (others.length > 0 || slanted.length === 0) redact(change, page, new Region(others), method)
}

/**
 * Runs the engine's redaction with a single temporary mark: the engine applies all marks of a page, so the others are
 * removed meanwhile.
 */
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
  // Corner order of most writers, which differs from the standard: upper left, upper right, lower left, lower right.
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
