// Schema of text with styles, as paragraphs of runs.
import { type Static, Type } from 'typebox'
import { Color } from './color.js'
import { ParagraphAlign } from './text-align.js'
import { Words } from './words.js'

/** Lines along the text; `word` leaves out the blanks between words. */
export const Decoration = Words(['underline', 'line-through', 'word'])
export type Decoration = Static<typeof Decoration>

export const Script = Words(['normal', 'sub', 'super'])
export type Script = Static<typeof Script>

const runMembers = {
  family: Type.String({ minLength: 1 }),
  /** Thickness of the letters; those from 600 on are drawn bold. */
  weight: Type.Integer({ minimum: 100, maximum: 900 }),
  italic: Type.Boolean(),
  /** Font size in points. */
  size: Type.Number({ minimum: 0 }),
  color: Color,
  decoration: Type.Array(Decoration),
  script: Script,
  /** Points after every character. */
  letterSpacing: Type.Number(),
  /** Width of the letters; 1 = that of the font. */
  horizontalScale: Type.Number({ exclusiveMinimum: 0 }),
}

/** Members of writes: also digits in upper case, and the names that earlier versions used. */
const writtenRunMembers = {
  ...runMembers,
  color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#1F5FBF'] }),
  fontFamily: Type.String({ minLength: 1 }),
  fontSize: Type.Number({ minimum: 0 }),
  bold: Type.Boolean(),
  underline: Type.Boolean(),
  strikethrough: Type.Boolean(),
}

/** Declarations without a member here, as written in the file. */
const unknown = Type.Optional(Type.String())

const paragraphMembers = {
  align: ParagraphAlign,
  dir: Words(['ltr', 'rtl']),
  /** Line height in points. */
  lineHeight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  margins: Type.Optional(
    Type.Object({ top: Type.Number(), bottom: Type.Number(), left: Type.Number(), right: Type.Number() }),
  ),
  textIndent: Type.Optional(Type.Number()),
  unknown,
}

export const RunStyle = Type.Object({ ...runMembers, unknown })
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
export type BodyStyle = RichText['body']

export const WrittenRunStyle = Type.Partial(Type.Object({ ...writtenRunMembers, unknown }))
export type WrittenRunStyle = Static<typeof WrittenRunStyle>

/** Schema of writes: styles that the body does not set are those of the annotation. */
export const WrittenRichText = Type.Object({
  body: Type.Optional(Type.Partial(Type.Object({ ...writtenRunMembers, ...paragraphMembers }))),
  paragraphs: Type.Array(
    Type.Object({
      ...Type.Partial(Paragraph).properties,
      runs: Type.Array(Type.Object({ text: Type.String(), style: Type.Optional(WrittenRunStyle) })),
    }),
  ),
})
export type WrittenRichText = Static<typeof WrittenRichText>
