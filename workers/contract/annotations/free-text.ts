// Contract of text on the page itself, optionally with a callout line.
import { type Static, Type } from 'typebox'
import { Color } from '../color.js'
import { LineEnding } from '../line-ending.js'
import { Nullable } from '../nullable.js'
import { Opacity } from '../numbers.js'
import { PagePoint } from '../page-point.js'
import { RichText, WrittenRichText } from '../rich-text.js'
import { StandardFont } from '../standard-font.js'
import { ParagraphAlign, VerticalAlign } from '../text-align.js'
import { Words } from '../words.js'
import { borderMembers, boxMembers, cloudMembers, drawnBorder } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const FreeText = subtypeContract({
  subtype: 'free-text',
  name: 'FreeText',
  members: {
    ...boxMembers,
    ...borderMembers,
    ...cloudMembers,
    intent: Words(['free-text', 'free-text-callout', 'free-text-typewriter']),
    fontFamily: StandardFont,
    fontSize: Type.Number({ exclusiveMinimum: 0 }),
    fontColor: Color,
    textAlign: ParagraphAlign,
    verticalAlign: VerticalAlign,
    /** The text with its styles; of plain text, the paragraphs that it consists of. */
    richText: RichText,
    /** Colour of the border and of the callout line. */
    color: Color,
    /** Colour behind the text. */
    interiorColor: Nullable(Color),
    opacity: Opacity,
    calloutLine: Nullable(Type.Array(PagePoint, { minItems: 2, maxItems: 3 })),
    lineEnding: Nullable(LineEnding),
  },
  write: {
    requiredOneOf: ['box', 'rect'],
    written: { richText: Nullable(WrittenRichText) },
    narrow: { ...drawnBorder, intent: Words(['free-text', 'free-text-callout']) },
  },
})
export type FreeTextAnnotation = Static<typeof FreeText.schema>
