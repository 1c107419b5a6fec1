// Schema of text with styles, as paragraphs of runs.
import { type Static, Type } from 'typebox'
import { Color } from './color.js'
import { ParagraphAlign } from './text-align.js'
import { Words } from './words.js'

const runMembers = {
  fontFamily: Type.String(),
  /** Font size in points. */
  fontSize: Type.Number({ minimum: 0 }),
  color: Color,
  bold: Type.Boolean(),
  italic: Type.Boolean(),
  underline: Type.Boolean(),
  strikethrough: Type.Boolean(),
}

const paragraphMembers = {
  align: ParagraphAlign,
  dir: Words(['ltr', 'rtl']),
  /** Line height in points. */
  lineHeight: Type.Optional(Type.Number()),
  margins: Type.Optional(
    Type.Object({ top: Type.Number(), bottom: Type.Number(), left: Type.Number(), right: Type.Number() }),
  ),
  textIndent: Type.Optional(Type.Number()),
  /** Declarations without a member here, as written in the file. */
  unknown: Type.Optional(Type.String()),
}

export const RunStyle = Type.Object(runMembers)
export type RunStyle = Static<typeof RunStyle>

export const Paragraph = Type.Object(paragraphMembers)
export type Paragraph = Static<typeof Paragraph>

export const TextRun = Type.Object({ text: Type.String(), style: Type.Optional(Type.Partial(RunStyle)) })
export type TextRun = Static<typeof TextRun>

export const RichText = Type.Object({
  body: Type.Object({ ...runMembers, ...paragraphMembers }),
  paragraphs: Type.Array(Type.Object({ ...paragraphMembers, runs: Type.Array(TextRun) })),
})
export type RichText = Static<typeof RichText>

/** Schema of writes: styles that the body does not set are those of the annotation. */
export const WrittenRichText = Type.Object({
  body: Type.Partial(Type.Object({ ...runMembers, ...paragraphMembers })),
  paragraphs: Type.Array(Type.Object({ ...Type.Partial(Paragraph).properties, runs: Type.Array(TextRun) })),
})
export type WrittenRichText = Static<typeof WrittenRichText>
