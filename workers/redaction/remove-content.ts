// Removes everything under marks from a page's content, in one pass.
import type { Change } from '../change/change.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { DrawnContent } from './content/contents-drawn.js'
import { siftPage } from './content/sift-page.js'
import { MarkedGlyphs } from './marked-glyphs.js'
import type { BlankColors } from './pictures/blank-colors.js'
import { PictureBlanker } from './pictures/picture-blanker.js'
import type { Region } from './region.js'
import type { RemovedWhole } from './removed-counts.js'
import type { RemovedText } from './removed-text.js'
import type { FontMeasures } from './text/font-measures.js'

/** Maximum effort, path edges times shapes of the region: one or two seconds. */
const effortMax = 2_000_000

export interface Removal {
  readonly page: number
  readonly region: Region
  readonly contents: readonly DrawnContent[]
  readonly measures: FontMeasures
  readonly removed: RemovedWhole
  /** The text under the marks. */
  readonly text: RemovedText
}

export interface Removed {
  /** Colours of blanked pixels. */
  readonly blanks: BlankColors
  /** Places of glyphs that left and were drawn with paths and pictures. */
  readonly drawings: readonly PdfRect[]
  /** Text alternatives that stay. */
  readonly alternatives: ReadonlySet<string>
}

/** Throws `MalformedPdf`. */
export function removeContent(change: Change, removal: Removal): Removed {
  const { page, region, contents, measures, removed, text } = removal
  const pictures = new PictureBlanker(change, region)
  const glyphs = new MarkedGlyphs(measures, region, removed)
  const sifting = { change, region, removed, effort: { left: effortMax }, pictures, glyphs, text }
  const alternatives = siftPage(sifting, change.document.pageObject(page), contents)
  return { blanks: pictures.blanks, drawings: glyphs.drawings, alternatives }
}
