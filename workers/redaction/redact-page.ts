// Redacts one page: removes everything under its marks and draws what the marks specify.

import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { entriesOf, entry, isStream } from '../objects/values.js'
import { contentNumbersOf, contentsDrawnBy } from './content/contents-drawn.js'
import { setDefaultSpaces } from './content/default-spaces.js'
import { writePlainly } from './content/plain-content.js'
import { areGlyphsShown } from './content/shown-glyphs.js'
import { streamsDrawnBy } from './drop-undrawn.js'
import { type InspectionResult, inspectRegion } from './inspect-region.js'
import { drawOverlays } from './mark-drawing.js'
import { type Mark, regionOf } from './marks.js'
import { BlankColors } from './pictures/blank-colors.js'
import type { Region } from './region.js'
import { removeMarkedAnnotations } from './remove-annotations.js'
import { removeContent } from './remove-content.js'
import { type RemovedCount, RemovedWhole } from './removed-counts.js'

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

export interface RedactedPage {
  readonly page: number
  readonly region: Region
  /** Content that the marks themselves drew. */
  readonly shown: InspectionResult
  /** Colours of blank pixels in the page's pictures. */
  readonly blanks: BlankColors
  readonly removedAnnotationCount: number
  readonly removedWhole: readonly RemovedCount[]
  /** Object numbers of the streams that the page drew before. */
  readonly drawn: ReadonlySet<number>
  /** Removed text, by lines. */
  readonly words: readonly string[]
}

export function redactPage(page: AnnotatedPage, marks: readonly Mark[]): RedactedPage {
  const { change, page: number } = page
  const region = regionOf(marks)
  const object = change.touch(change.document.pageObject(number))
  const contents = [...contentsDrawnBy(object)]
  const drawn = new Set([...contentNumbersOf(object), ...streamsDrawnBy(contents)])
  const isShown = areGlyphsShown(change.document.catalog, contents)
  writePlainly(change, object, contents)
  const { text, middles, throughWords } = change.document.withContent(number, (loaded) => inspectRegion(loaded, region))
  const removedAnnotationCount = removeMarkedAnnotations(page, marks, region)
  const removed = new RemovedWhole()
  for (const { kind, count } of throughWords) removed.add(kind, count)
  const blanks = region.isEmpty
    ? new BlankColors()
    : removeContent(change, {
        page: number,
        region,
        middles: isShown ? middles : undefined,
        removed,
        hasDefaultSpaces: setDefaultSpaces(contents),
      })
  for (const [key] of entriesOf(object, keysMax)) if (!retainedKeys.has(key)) object.delete(key)
  drawOverlays(change, object, marks)
  change.effects.page(number, 'content', 'annotations')
  // Apart from appearances of the redaction marks themselves, nothing may draw pictures there.
  const onlyMasks = !marks.some(({ found }) => isStream(entry(found.object, 'RO')))
  const shown = change.document.withContent(number, (loaded) => inspectRegion(loaded, region, { blanks, onlyMasks }))
  const words = text.split('\n')
  return { page: number, region, shown, blanks, removedAnnotationCount, removedWhole: removed.counts, drawn, words }
}
