// Determines whether the appearance of an annotation may show a text that no search of the page's content reads.
import type { PDFObject } from 'mupdf'
import { orElse } from '../engine/trap.js'
import { entriesOf, entry, isStream, nameOf } from '../objects/values.js'
import { contentsDrawnIn } from '../redaction/content/contents-drawn.js'

/** Maximum number of states of one appearance that are read. */
const statesMax = 100

/** Subtypes of which the usual appearance is a shape, a line or an icon. */
const shapes: ReadonlySet<string | undefined> = new Set([
  'Caret',
  'Circle',
  'FileAttachment',
  'Highlight',
  'Ink',
  'Line',
  'PolyLine',
  'Polygon',
  'Redact',
  'Square',
  'Squiggly',
  'StrikeOut',
  'Text',
  'Underline',
])

/** Operators that show text or a picture; `Do` draws forms too, whose content is read with the others. */
const shows = /(?:^|[\0\t\n\f\r )\]>])(?:T[jJ]|['"]|BI)(?![^\0\t\n\f\r ()<>[\]{}/%])/

/** Every appearance counts, but those of shapes only with text or pictures in them. */
export function mayShowText(annotation: PDFObject, subtype: string | undefined): boolean {
  const appearance = entry(annotation, 'AP', 'N')
  if (isStream(appearance)) return !shapes.has(subtype) || drawsText(appearance)
  const states = [...entriesOf(appearance, statesMax)].map(([, state]) => state).filter(isStream)
  return states.length > 0 && (!shapes.has(subtype) || states.some(drawsText))
}

/** Content that cannot be read counts as text. */
const drawsText = (appearance: PDFObject): boolean =>
  orElse(true, () =>
    [...contentsDrawnIn(appearance, entry(appearance, 'Resources'))].some(
      ({ content, resources }) => shows.test(content) || hasPicture(resources),
    ),
  )

const hasPicture = (resources: PDFObject): boolean =>
  [...entriesOf(entry(resources, 'XObject'), statesMax)].some(
    ([, drawing]) => nameOf(entry(drawing, 'Subtype')) === 'Image',
  )
