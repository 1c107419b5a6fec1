// Redacts one page: removes everything under its marks and draws what the marks specify.

import type { Matrix } from 'mupdf'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { RemovedKind } from '../contract/ops/redactions-apply.js'
import { pageRef } from '../contract/page-ref.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { mupdf } from '../engine/library.js'
import { orElse } from '../engine/trap.js'
import { elementsOf, entriesOf, entry, isArray, isStream } from '../objects/values.js'
import { type DrawnSummary, summaryOf } from './compare-drawn.js'
import { differingPlace, type PagePicture, picturesOf } from './compare-pictures.js'
import { contentNumbersOf, contentsDrawnBy } from './content/contents-drawn.js'
import { mayHaveDescriptions } from './content-descriptions.js'
import { dividedLook } from './drawn-record.js'
import { streamsDrawnBy } from './drop-undrawn.js'
import { type InspectionResult, inspectPage, type PictureInspection } from './inspect-region.js'
import { drawOverlays } from './mark-drawing.js'
import { markedText } from './marked-text.js'
import { type Mark, regionOf } from './marks.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { proveContent, proveDescriptions } from './prove-content.js'
import { placedBounds, type Region, transformed } from './region.js'
import { removeMarkedAnnotations } from './remove-annotations.js'
import { removeContent } from './remove-content.js'
import { type RemovedCount, RemovedWhole } from './removed-counts.js'
import { RemovedText } from './removed-text.js'
import type { FontMeasures } from './text/font-measures.js'

/**
 * Retained page entries (ISO 32000-2, table 31). All others are removed: a thumbnail of the former page, files and
 * actions that belong to it, private data of programs.
 */
const retainedKeys = new Set(
  (
    'Type Parent LastModified Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo Contents Rotate Group B Dur ' +
    'Trans Annots StructParents ID PZ SeparationInfo Tabs TemplateInstantiated PresSteps UserUnit VP OutputIntents DPart'
  ).split(' '),
)
const keysMax = 10_000
/** Kinds of what is removed whole that are no drawings. */
const isCutting: ReadonlySet<RemovedKind> = new Set(['text', 'alternate-text'])
/** Text that readers may put in another order than that of its glyphs, or that is not what the font says. */
const isBeyondAscii = /[^\n\x20-\x7e]/
/** Maximum number of streams of a page that overlays were drawn on. */
const streamsMax = 100_000

export interface RedactedPage {
  readonly page: number
  readonly region: Region
  /** What the page draws now. */
  readonly shown: Omit<InspectionResult, 'things' | 'reach'> & { readonly things: DrawnSummary }
  /** Colours of blank pixels in the page's pictures. */
  readonly blanks: BlankColors
  readonly removedAnnotationCount: number
  readonly removedWhole: readonly RemovedCount[]
  /** Object numbers of the streams that the page drew before. */
  readonly drawn: ReadonlySet<number>
  /** Removed text, by lines. */
  readonly words: readonly string[]
}

/** Throws `MalformedPdf`. */
export function redactPage(page: AnnotatedPage, marks: readonly Mark[], measures: FontMeasures): RedactedPage {
  const { change, page: number } = page
  const region = regionOf(marks)
  const object = change.touch(change.document.pageObject(number))
  const contents = [...contentsDrawnBy(object)]
  const drawn = new Set([...contentNumbersOf(object), ...streamsDrawnBy(contents)])
  const inspected = inspectPage(change.document, number, region)
  const pictures = mayLookOtherwise(inspected) ? picturesOf(change.document, number) : []
  const removedAnnotationCount = removeMarkedAnnotations(page, marks, region)
  const removed = new RemovedWhole()
  const isDescribed = mayHaveDescriptions(contents)
  const readsOtherwise = isDescribed || isBeyondAscii.test(inspected.text)
  const read = readsOtherwise ? orElse([], () => markedText(change.document, number, region)) : []
  const words = [...inspected.text.split('\n'), ...read]
  const text = new RemovedText(words)
  const removal = { page: number, region, contents, measures, removed, text }
  const { blanks, drawings, alternatives } = removeContent(change, removal)
  if (isDescribed) proveDescriptions(change, number, alternatives)
  const toDevice = change.document.withContent(number, (loaded) => loaded.getTransform())
  const left = drawings.map((box) => placedBounds(box, toDevice))
  if (pictures.length > 0)
    provePictures(page, {
      region,
      toDevice,
      inspected,
      left,
      pictures,
      isCut: removed.counts.every(({ kind }) => isCutting.has(kind)),
    })
  for (const [key] of entriesOf(object, keysMax)) if (!retainedKeys.has(key)) object.delete(key)
  drawOverlays(change, object, marks)
  change.effects.page(number, 'content', 'annotations')
  // Apart from appearances of the redaction marks themselves, nothing may draw pictures there.
  const onlyMasks = !marks.some(({ found }) => isStream(entry(found.object, 'RO')))
  const overlays = inspectOverlays(page, region, { blanks, onlyMasks })
  const shown = inspectPage(change.document, number, region, { blanks })
  proveContent(number, { before: inspected.things, after: shown, overlays, left })
  return {
    page: number,
    region,
    shown: { ...shown, things: summaryOf(shown.things) },
    blanks,
    removedAnnotationCount,
    removedWhole: removed.counts,
    drawn,
    words,
  }
}

/** False if no more than glyphs reach under a mark: then the list of what is drawn says all. */
const mayLookOtherwise = ({ things }: InspectionResult): boolean =>
  things.some(({ kind, stays }) => kind !== 'glyph' && stays !== true)

interface PictureProof {
  readonly region: Region
  readonly toDevice: Matrix
  readonly inspected: InspectionResult
  readonly left: readonly PdfRect[]
  /** The pictures from before. */
  readonly pictures: readonly PagePicture[]
  /** True if everything that reached under a mark was divided. */
  readonly isCut: boolean
}

/** Throws `MalformedPdf` if the page looks otherwise beside the marks. */
function provePictures({ change: { document }, page }: AnnotatedPage, proof: PictureProof): void {
  const { toDevice, inspected, pictures, isCut } = proof
  const around = proof.region.through(toDevice)
  const left = [
    ...proof.left,
    ...inspected.things
      .filter(({ kind, look, stays }) => stays !== true && (kind === 'glyph' || look === dividedLook || !isCut))
      .map(({ bounds }) => bounds),
  ]
  const differs = differingPlace(pictures, picturesOf(document, page), ({ x, y }, half) => {
    const reach = 3 * half + inspected.reach
    const box = { left: x - reach, bottom: y - reach, right: x + reach, top: y + reach }
    return around.meets(box) || left.some((one) => isMeeting(one, box))
  })
  if (differs === undefined) return
  throw new JobRefusal('MalformedPdf', 'The page would look otherwise beside the marks', {
    page: pageRef(page),
    place: transformed(differs, mupdf.Matrix.invert(toDevice)),
  })
}

const isMeeting = (one: PdfRect, other: PdfRect): boolean =>
  one.left <= other.right && one.right >= other.left && one.bottom <= other.top && one.top >= other.bottom

/** Inspects what the marks draw: the last one of several streams. The page itself has one stream now. */
function inspectOverlays(
  { change: { document, pdf }, page }: AnnotatedPage,
  region: Region,
  pictures: PictureInspection,
): InspectionResult {
  const object = document.pageObject(page)
  const contents = entry(object, 'Contents')
  const last = isArray(contents) ? [...elementsOf(contents, streamsMax)].at(-1) : undefined
  object.put('Contents', last ?? pdf.newArray())
  try {
    return inspectPage(document, page, region, pictures)
  } finally {
    object.put('Contents', contents)
  }
}
