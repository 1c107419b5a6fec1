// Reads the text of a free-text element: its look, its rich text and its callout line.

import { bodyWith } from '../../annotations/plain-text.js'
import { aligns } from '../../annotations/reading/text-look.js'
import type { StandardFont } from '../../contract/standard-font.js'
import type { PageSpace } from '../../document/page-space.js'
import { black } from '../../objects/colors.js'
import { parseDefaultAppearance } from '../../text/default-appearance.js'
import { fontOfFace, plainWeight, standardFontOf } from '../../text/fonts.js'
import { parseRichText } from '../../text/rich-texts.js'
import { parseStyle } from '../../text/text-styles.js'
import { type ElementReader, UnusableElement } from './element-reader.js'
import { endingOf, type Members } from './read-shapes.js'
import { richTextMarkup } from './rich-text-markup.js'
import { alignWords } from './words.js'

interface TextLook {
  readonly fontFamily: StandardFont
  readonly fontSize: number
  readonly fontColor: string
  readonly textAlign: (typeof aligns)[number]
}

const styleOf = (reader: ElementReader) => parseStyle(reader.childText('defaultstyle'))

/** Reads font, size, colour and alignment of the text. `standardSize`: font size in points if none is stated. */
export function textLookOf(reader: ElementReader, standardSize: number): TextLook {
  const look = parseDefaultAppearance(reader.childText('defaultappearance'))
  const { run, paragraph } = styleOf(reader)
  const justification = reader.word('justification', (word) => aligns.find((align) => alignWords[align] === word))
  const align = paragraph.align === 'justify' ? 'left' : paragraph.align
  return {
    fontFamily: standardFontOf(look.fontName) ?? fontIn(run) ?? 'helvetica',
    fontSize: look.fontSize || run.size || standardSize,
    fontColor: run.color ?? look.fillColor ?? black,
    textAlign: justification ?? align ?? 'left',
  }
}

const fontIn = ({ family, weight = plainWeight, italic = false }: ReturnType<typeof parseStyle>['run']) =>
  family === undefined ? undefined : fontOfFace({ family, weight, italic })

export function freeTextMembers(reader: ElementReader, space: PageSpace): Members {
  const plain = textLookOf(reader, 12)
  const { align } = styleOf(reader).paragraph
  const look = { ...plain, textAlign: align === 'justify' && plain.textAlign === 'left' ? align : plain.textAlign }
  const appearance = parseDefaultAppearance(reader.childText('defaultappearance'))
  const callout = reader.place('callout') ?? []
  if (![0, 4, 6].includes(callout.length)) throw new UnusableElement('callout must have 4 or 6 numbers')
  const lineEnding = endingOf(reader, 'head')
  const rich = reader.child('contents-richtext')
  return {
    // The look of rich text is in its body.
    ...(rich === undefined ? look : { richText: parseRichText(richTextMarkup(rich), bodyWith(look, styleOf(reader))) }),
    color: appearance.strokeColor ?? appearance.fillColor ?? black,
    verticalAlign: styleOf(reader).verticalAlign ?? 'top',
    ...(callout.length > 0 && { calloutLine: space.toPagePoints(callout), lineEnding: lineEnding ?? 'none' }),
  }
}
