// Reads texts of free-text annotations: the look of the plain text, the rich text and the callout line.
import type { FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { PagePoint } from '../../contract/page-point.js'
import type { RichText } from '../../contract/rich-text.js'
import { black } from '../../objects/colors.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, isMissing, nameOf, numbersOf, textOf } from '../../objects/values.js'
import { standardFontOf } from '../../text/fonts.js'
import { parseRichText } from '../../text/rich-texts.js'
import { parseStyle } from '../../text/text-styles.js'
import { bodyWith } from '../plain-text.js'
import type { AnnotationSource } from './annotation-source.js'
import { lineEndingOf } from './line-endings.js'
import { alignOf, fontResources, textLookOf } from './text-look.js'

/** Font size in points if neither string states one. */
const standardSize = 12

export type PlainLook = Pick<
  FreeTextAnnotation,
  'fontFamily' | 'fontSize' | 'fontColor' | 'textAlign' | 'verticalAlign' | 'color'
>

/** Reads the look: /DA applies to the plain text and /DS to the rich one; each supplies what the other lacks. */
export function plainLookOf({ object, reading }: AnnotationSource): PlainLook {
  const look = textLookOf(entry(object, 'DA'), fontResources(object, reading.form))
  const { run, paragraph, verticalAlign } = parseStyle(textOf(entry(object, 'DS')))
  const { align } = paragraph
  const quadding = alignOf(entry(object, 'Q')) ?? align ?? 'left'
  return {
    fontFamily: look.fontFamily ?? standardFontOf(run.family) ?? 'helvetica',
    fontSize: look.fontSize || run.size || standardSize,
    fontColor: run.color ?? look.fillColor ?? black,
    // /Q has no word for justified text, which is aligned to the left for readers of /Q alone.
    textAlign: align === 'justify' && quadding === 'left' ? align : quadding,
    verticalAlign: verticalAlign ?? 'top',
    color: look.strokeColor ?? look.fillColor ?? black,
  }
}

/** Returns null if the file has no rich text. */
export function richTextOf({ reading, object }: AnnotationSource, look: PlainLook): RichText | null {
  const rich = entry(object, 'RC')
  if (isMissing(rich)) return null
  const source = reading.longText(rich, readingLimits.richTextBytesMax)
  return source === undefined ? null : parseRichText(source, bodyWith(look, parseStyle(textOf(entry(object, 'DS')))))
}

/** Reads the callout line: from the point that the text refers to, possibly via a knee, to the text. */
export function calloutOf({ object, space }: AnnotationSource): Pick<FreeTextAnnotation, 'calloutLine' | 'lineEnding'> {
  const points: PagePoint[] = space.toPagePoints(numbersOf(entry(object, 'CL'), 6) ?? [])
  if (points.length < 2) return { calloutLine: null, lineEnding: null }
  const ending = entry(object, 'LE')
  return { calloutLine: points, lineEnding: lineEndingOf(nameOf(ending) === undefined ? entry(ending, 0) : ending) }
}
