// Text on the page without styles of its own: its rich text consists of one paragraph for every line, in the style of
// the annotation. Such text has no /RC in the file. The style of the annotation is that of the body of its rich text.
import { isDeepStrictEqual } from 'node:util'
import type { FreeTextAnnotation } from '../contract/annotations/free-text.js'
import type { BodyStyle, RichText } from '../contract/rich-text.js'
import { faceOf, fontOfFace } from '../text/fonts.js'
import { bodyStyleOf, type TextStyle as ParsedStyle } from '../text/text-styles.js'
import type { Members } from './written-members.js'

/** Members of an annotation that its text is drawn with. */
export type TextStyle = Pick<FreeTextAnnotation, 'fontFamily' | 'fontSize' | 'fontColor' | 'textAlign'>

export type StyledText = TextStyle & Pick<FreeTextAnnotation, 'contents'>

const standardSize = 12

export function plainRichText(text: StyledText): RichText {
  const body = bodyOf(text)
  const { align, dir } = body
  const lines = (text.contents ?? '').split(lineBreaks)
  return { body, paragraphs: lines.map((line) => ({ align, dir, runs: line === '' ? [] : [{ text: line }] })) }
}

/** True for members of a free-text annotation, which were validated one by one before. */
export const isStyledText = (members: Members): members is Members & StyledText & { readonly richText?: RichText } =>
  styleMembers.every((name) => name in members) && 'contents' in members

export const styleMembers = ['fontFamily', 'fontSize', 'fontColor', 'textAlign'] as const

export const lineBreaks = /\r\n|\r|\n/

/** True if the rich text says no more than the other members. */
export const isPlain = ({ richText, ...text }: StyledText & { readonly richText: RichText }): boolean =>
  isDeepStrictEqual(richText, plainRichText(text))

export function bodyOf({ fontFamily, fontSize, fontColor, textAlign }: TextStyle): BodyStyle {
  return {
    ...faceOf(fontFamily),
    size: fontSize,
    color: fontColor,
    decoration: [],
    script: 'normal',
    letterSpacing: 0,
    horizontalScale: 1,
    align: textAlign,
    dir: 'ltr',
  }
}

/** Returns the style of text that states a style of its own. */
export const bodyWith = (style: TextStyle, stated: ParsedStyle): BodyStyle => ({
  ...bodyOf(style),
  ...bodyStyleOf(stated),
})

/** Returns the members that a body determines. */
export function styleOfBody(body: BodyStyle): TextStyle {
  return {
    fontFamily: fontOfFace(body),
    fontSize: body.size || standardSize,
    fontColor: body.color,
    textAlign: body.align,
  }
}

/** Returns the body in another style. What already looks like it stays: a family may be closer than a standard font. */
export function restyled(body: BodyStyle, style: Partial<TextStyle>): BodyStyle {
  const now = styleOfBody(body)
  const { fontFamily, fontSize, fontColor, textAlign } = style
  return {
    ...body,
    ...(fontFamily !== undefined && fontFamily !== now.fontFamily && faceOf(fontFamily)),
    ...(fontSize !== undefined && fontSize !== now.fontSize && { size: fontSize }),
    ...(fontColor !== undefined && { color: fontColor }),
    ...(textAlign !== undefined && { align: textAlign }),
  }
}

/** Returns the rich text in another style; a paragraph that is aligned like the body stays so. */
export function restyledText({ body, paragraphs }: RichText, style: Partial<TextStyle>): RichText {
  const changed = restyled(body, style)
  return {
    body: changed,
    paragraphs: paragraphs.map((paragraph) =>
      paragraph.align === body.align ? { ...paragraph, align: changed.align } : paragraph,
    ),
  }
}
