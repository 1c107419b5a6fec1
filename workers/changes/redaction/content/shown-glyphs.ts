// Whether every glyph of a page can be seen by a device that the page is drawn on: only then can glyphs under a mark be
// named to the engine one by one.
import type { PDFObject } from 'mupdf'
import { entriesOf, entry, isMissing } from '../../../pdf/values.js'
import type { DrawnContent } from './contents-drawn.js'
import { isDrawnFont } from './used-glyphs.js'

/** Resources of one kind that are inspected. */
const entriesMax = 1_000

/** The engine hides layers that are off, and draws the glyphs of Type3 fonts as whatever they consist of. */
export function areGlyphsShown(catalog: PDFObject, contents: readonly DrawnContent[]): boolean {
  return isMissing(entry(catalog, 'OCProperties')) && !contents.some(({ resources }) => hasDrawnFont(resources))
}

function hasDrawnFont(resources: PDFObject): boolean {
  const fonts = entriesOf(entry(resources, 'Font'), entriesMax).map(([, font]) => font)
  const states = entriesOf(entry(resources, 'ExtGState'), entriesMax).map(([, state]) => entry(state, 'Font', 0))
  return fonts.length >= entriesMax || states.length >= entriesMax || [...fonts, ...states].some(isDrawnFont)
}
