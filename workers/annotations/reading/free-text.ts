// Text on the page. Its background is /C and the colour of its border that of the default appearance: the standard says
// neither, but that is what the writers and readers people use agree on.
import type { FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { PagePoint } from '../../contract/page-point.js'
import type { RichText } from '../../contract/rich-text.js'
import { black, colorOf } from '../../objects/colors.js'
import { lookUp } from '../../objects/look-up.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, isMissing, nameOf, numbersOf, textOf } from '../../objects/values.js'
import { standardFontOf } from '../../text/fonts.js'
import { type BodyStyle, parseRichText } from '../../text/rich-texts.js'
import { parseStyle } from '../../text/text-styles.js'
import type { AnnotationSource, ReadAnnotation } from './annotation-source.js'
import { borderOf, cloudOf, opacityOf } from './families.js'
import { lineEndingOf } from './line-endings.js'
import { alignOf, fontResources, textLookOf } from './text-look.js'
import { boxOf } from './turns.js'

export const freeTextIntents: Readonly<Record<string, FreeTextAnnotation['intent']>> = {
  FreeText: 'free-text',
  FreeTextCallout: 'free-text-callout',
  FreeTextTypeWriter: 'free-text-typewriter',
}
/** Points, where neither string gives a size. */
const standardSize = 12

export const readFreeText: ReadAnnotation = (source, common) => {
  const { object } = source
  const text = lettering(source)
  return {
    subtype: 'free-text',
    ...common,
    ...boxOf(source),
    ...borderOf(source),
    ...cloudOf(source),
    intent: lookUp(freeTextIntents, nameOf(entry(object, 'IT'))) ?? 'free-text',
    ...text,
    richText: richTextOf(source, text),
    interiorColor: colorOf(entry(object, 'IC')) ?? colorOf(entry(object, 'C')) ?? null,
    opacity: opacityOf(source),
    ...calloutOf(source),
  }
}

type Lettering = Pick<
  FreeTextAnnotation,
  'fontFamily' | 'fontSize' | 'fontColor' | 'textAlign' | 'verticalAlign' | 'color'
>

/** /DA is for the plain text, /DS for the rich one; each fills the gaps of the other. */
function lettering({ object, reading }: AnnotationSource): Lettering {
  const look = textLookOf(entry(object, 'DA'), fontResources(object, reading.form))
  const { run, paragraph, verticalAlign } = parseStyle(textOf(entry(object, 'DS')))
  const align = paragraph.align === 'justify' ? 'left' : paragraph.align
  return {
    fontFamily: look.fontFamily ?? standardFontOf(run.fontFamily) ?? 'helvetica',
    fontSize: look.fontSize || run.fontSize || standardSize,
    fontColor: run.color ?? look.fillColor ?? black,
    textAlign: alignOf(entry(object, 'Q')) ?? align ?? 'left',
    verticalAlign: verticalAlign ?? 'top',
    color: look.strokeColor ?? look.fillColor ?? black,
  }
}

function richTextOf({ reading, object }: AnnotationSource, text: Lettering): RichText | null {
  const rich = entry(object, 'RC')
  if (isMissing(rich)) return null
  const source = reading.longText(rich, readingLimits.richTextBytesMax)
  if (source === undefined) return null
  const { run, paragraph } = parseStyle(textOf(entry(object, 'DS')))
  const standard: BodyStyle = {
    fontFamily: text.fontFamily,
    fontSize: text.fontSize,
    color: text.fontColor,
    bold: false,
    italic: false,
    underline: false,
    strikethrough: false,
    align: text.textAlign,
    dir: 'ltr',
    ...run,
    ...paragraph,
  }
  return parseRichText(source, standard)
}

/** The line to what the text speaks of: from its end, perhaps over a knee, to the text. */
function calloutOf({ object, space }: AnnotationSource): Pick<FreeTextAnnotation, 'calloutLine' | 'lineEnding'> {
  const points: PagePoint[] = space.toPagePoints(numbersOf(entry(object, 'CL'), 6) ?? [])
  if (points.length < 2) return { calloutLine: null, lineEnding: null }
  const ending = entry(object, 'LE')
  return { calloutLine: points, lineEnding: lineEndingOf(nameOf(ending) === undefined ? entry(ending, 0) : ending) }
}
