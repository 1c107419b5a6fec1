// Brings rich text of a request into the form that reads return: with the names of today, without runs that contain
// nothing, and with one kind of line break.
import type {
  Decoration,
  Paragraph,
  RichText,
  RunStyle,
  WrittenRichText,
  WrittenRunStyle,
} from '../contract/rich-text.js'
import { StandardFont } from '../contract/standard-font.js'
import { boldWeight, type Face, faceOf, plainWeight } from '../text/fonts.js'
import { lineBreak } from '../text/rich-texts.js'
import { decorations } from '../text/text-styles.js'
import { lineBreaks } from './plain-text.js'

/** Rich text whose body and paragraphs may state less than those of a read. */
export interface PartialRichText {
  readonly body?: Partial<RichText['body']>
  readonly paragraphs: readonly (Partial<Paragraph> & Pick<RichText['paragraphs'][number], 'runs'>)[]
}

export function readableRichText({ body, paragraphs }: WrittenRichText): PartialRichText {
  return {
    ...(body !== undefined && { body: { ...runStyleOf(body), ...paragraphStyleOf(body) } }),
    paragraphs: paragraphs.map(({ runs, ...paragraph }) => ({
      ...paragraphStyleOf(paragraph),
      runs: runs.filter(({ text }) => text !== '').map(runOf),
    })),
  }
}

type WrittenRun = WrittenRichText['paragraphs'][number]['runs'][number]

function runOf({ text, style }: WrittenRun): RichText['paragraphs'][number]['runs'][number] {
  const stated = runStyleOf(style ?? {})
  const broken = text.split(lineBreaks).join(lineBreak)
  return Object.keys(stated).length === 0 ? { text: broken } : { text: broken, style: stated }
}

function runStyleOf(written: WrittenRunStyle): Partial<RunStyle> {
  const { size = written.fontSize, weight = weightOf(written), decoration = linesOf(written) } = written
  const { italic, color, script, letterSpacing, horizontalScale, unknown } = written
  return {
    ...faceNamed(written.family ?? written.fontFamily),
    ...(weight !== undefined && { weight }),
    ...(italic !== undefined && { italic }),
    ...(size !== undefined && { size }),
    ...(color !== undefined && { color: color.toLowerCase() }),
    ...(decoration !== undefined && { decoration: decorations.filter((line) => decoration.includes(line)) }),
    ...(script !== undefined && { script }),
    ...(letterSpacing !== undefined && { letterSpacing }),
    ...(horizontalScale !== undefined && { horizontalScale }),
    ...(unknown !== undefined && { unknown }),
  }
}

/** Returns the family, with weight and slant if the name is that of a standard font. */
function faceNamed(name: string | undefined): Partial<Face> {
  const font = StandardFont.enum.find((standard) => standard === name)
  if (font !== undefined) return faceOf(font)
  return name === undefined ? {} : { family: name }
}

const weightOf = ({ bold }: WrittenRunStyle): number | undefined =>
  bold === undefined ? undefined : bold ? boldWeight : plainWeight

function linesOf({ underline, strikethrough }: WrittenRunStyle): Decoration[] | undefined {
  if (underline === undefined && strikethrough === undefined) return undefined
  return [...(underline === true ? ['underline' as const] : []), ...(strikethrough ? ['line-through' as const] : [])]
}

function paragraphStyleOf({ align, dir, lineHeight, margins, textIndent, unknown }: Partial<Paragraph>) {
  return {
    ...(align !== undefined && { align }),
    ...(dir !== undefined && { dir }),
    ...(lineHeight !== undefined && { lineHeight }),
    ...(margins !== undefined && { margins }),
    ...(textIndent !== undefined && { textIndent }),
    ...(unknown !== undefined && { unknown }),
  }
}
