// Reads the text of a free-text element: its look, its rich text and its callout line.
import { aligns } from '../../annotations/reading/text-look.js'
import type { StandardFont } from '../../contract/standard-font.js'
import type { PageSpace } from '../../document/page-space.js'
import { black } from '../../objects/colors.js'
import { parseDefaultAppearance } from '../../text/default-appearance.js'
import { standardFontOf } from '../../text/fonts.js'
import { type BodyStyle, parseRichText } from '../../text/rich-texts.js'
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
    fontFamily: standardFontOf(look.fontName) ?? standardFontOf(fontIn(run)) ?? 'helvetica',
    fontSize: look.fontSize || run.fontSize || standardSize,
    fontColor: run.color ?? look.fillColor ?? black,
    textAlign: justification ?? align ?? 'left',
  }
}

const fontIn = ({ fontFamily, bold, italic }: ReturnType<typeof parseStyle>['run']): string | undefined =>
  fontFamily && `${fontFamily}${bold === true ? '-bold' : ''}${italic === true ? '-italic' : ''}`

export function freeTextMembers(reader: ElementReader, space: PageSpace): Members {
  const look = textLookOf(reader, 12)
  const appearance = parseDefaultAppearance(reader.childText('defaultappearance'))
  const callout = reader.place('callout') ?? []
  if (![0, 4, 6].includes(callout.length)) throw new UnusableElement('callout must have 4 or 6 numbers')
  const lineEnding = endingOf(reader, 'head')
  const rich = reader.child('contents-richtext')
  return {
    ...look,
    color: appearance.strokeColor ?? appearance.fillColor ?? black,
    verticalAlign: styleOf(reader).verticalAlign ?? 'top',
    ...(callout.length > 0 && { calloutLine: space.toPagePoints(callout), lineEnding: lineEnding ?? 'none' }),
    ...(rich !== undefined && { richText: parseRichText(richTextMarkup(rich), bodyStyleOf(reader, look)) }),
  }
}

function bodyStyleOf(reader: ElementReader, look: TextLook): BodyStyle {
  const { run, paragraph } = styleOf(reader)
  const plain = { bold: false, italic: false, underline: false, strikethrough: false }
  const { fontFamily, fontSize, fontColor, textAlign } = look
  return { fontFamily, fontSize, color: fontColor, ...plain, align: textAlign, dir: 'ltr', ...run, ...paragraph }
}
