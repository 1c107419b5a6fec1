// Text on the page. Its background is /C, and its border has the colour of the default appearance: the standard defines
// neither, but common writers and readers agree on it. The look of the plain text is in /DA and /Q, that of the rich
// text in /DS.
import { FreeText, type FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { WrittenRichText } from '../../contract/rich-text.js'
import { black, colorOf } from '../../objects/colors.js'
import { lookUp } from '../../objects/look-up.js'
import { entry, nameOf } from '../../objects/values.js'
import { faceOf, plainWeight } from '../../text/fonts.js'
import { drawTextBox } from '../drawing/text-box.js'
import { putColor, putName, putPoints, putText } from '../entries.js'
import {
  bodyOf,
  isPlain,
  isStyledText,
  plainRichText,
  restyled,
  restyledText,
  type StyledText,
  styleMembers,
  styleOfBody,
  type TextStyle,
} from '../plain-text.js'
import { borderOf, cloudOf, opacityOf } from '../reading/shared-members.js'
import { calloutOf, plainLookOf, richTextOf } from '../reading/text-members.js'
import { boxOf } from '../reading/turns.js'
import { plainTextOf, richTextSource } from '../rich-text.js'
import { subtypeWork, type WriteContext } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import {
  borderGroup,
  cloudGroup,
  endingName,
  intentGroup,
  opacityGroup,
  putAlign,
  putDefaultAppearance,
  rotationGroup,
} from '../writing/shared-members.js'
import type { Members } from '../written-members.js'
import { readableRichText } from '../written-rich-text.js'

const intents: Readonly<Record<string, FreeTextAnnotation['intent']>> = {
  FreeText: 'free-text',
  FreeTextCallout: 'free-text-callout',
  FreeTextTypeWriter: 'free-text-typewriter',
}

export const work = subtypeWork(FreeText, {
  shape: 'box',
  standard: {
    rotation: null,
    intent: 'free-text',
    fontFamily: 'helvetica',
    fontSize: 12,
    fontColor: black,
    textAlign: 'left',
    verticalAlign: 'top',
    color: black,
    interiorColor: null,
    opacity: 1,
    // Plain text has no border unless a width is requested.
    strokeWidth: 0,
    borderStyle: 'solid',
    dashArray: null,
    cloudyIntensity: null,
    calloutLine: null,
    lineEnding: null,
  },
  completed: withRichText,
  reconciled: withoutLooseEnding,
  read(source, common) {
    const { object } = source
    const look = plainLookOf(source)
    const rich = richTextOf(source, look)
    const text = rich === null ? look : { ...look, ...styleOfBody(rich.body) }
    return {
      subtype: 'free-text',
      ...common,
      ...boxOf(source),
      ...borderOf(source),
      ...cloudOf(source),
      intent: lookUp(intents, nameOf(entry(object, 'IT'))) ?? 'free-text',
      ...text,
      richText: rich ?? plainRichText({ ...text, contents: common.contents }),
      interiorColor: colorOf(entry(object, 'IC')) ?? colorOf(entry(object, 'C')) ?? null,
      opacity: opacityOf(source),
      ...calloutOf(source),
    }
  },
  groups: [
    rotationGroup,
    borderGroup,
    cloudGroup,
    opacityGroup,
    intentGroup(intents),
    group(['fontFamily', 'fontSize', 'fontColor', 'color', 'textAlign', 'verticalAlign'], (state, written) => {
      const { fontFamily, fontSize, fontColor, textAlign, verticalAlign } = state
      putDefaultAppearance(written, state, state.color)
      putAlign(written, textAlign)
      const { family, weight, italic } = faceOf(fontFamily)
      const style = [
        `font-family:${family}`,
        `font-size:${fontSize}pt`,
        `font-weight:${weight === plainWeight ? 'normal' : 'bold'}`,
        `font-style:${italic ? 'italic' : 'normal'}`,
        `color:${fontColor}`,
        `text-align:${textAlign}`,
        `text-valign:${verticalAlign}`,
      ]
      putText(written, 'DS', style.join(';'))
    }),
    // The background is /C for this subtype only, as in common readers.
    group(['interiorColor'], ({ interiorColor }, written) => {
      putColor(written, 'C', interiorColor)
      written.object.delete('IC')
    }),
    group(['richText'], (state, written) =>
      putText(written, 'RC', isPlain(state) ? null : richTextSource(state.richText)),
    ),
    group(['calloutLine', 'lineEnding'], ({ calloutLine, lineEnding }, written) => {
      putPoints(written, 'CL', calloutLine)
      putName(written, 'LE', lineEnding === null || calloutLine === null ? null : endingName(lineEnding))
    }),
  ],
  invisible: ['intent'],
  visible: ['contents'],
  draw: (sheet, state, { space }) => drawTextBox(sheet, state, space),
})

/** Removes the ending of a callout line that does not exist. */
function withoutLooseEnding(state: FreeTextAnnotation): FreeTextAnnotation {
  return state.calloutLine === null ? { ...state, lineEnding: null } : state
}

/**
 * Makes plain text, rich text and the style of the text consistent: what is not written follows from what is. A style
 * that is written takes precedence over that of the body.
 */
function withRichText(members: Members, { before, given }: WriteContext): Members {
  if (!isStyledText(members)) return members
  const style = Object.fromEntries(styleMembers.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  const written = given['richText']
  if (isRichText(written))
    return { ...members, ...richMembers(members, { written, style, before, hasContents: 'contents' in given }) }
  if (!isStyledText(before) || before.richText === undefined || written === null || 'contents' in given) {
    return { ...members, richText: plainRichText(members) }
  }
  if (Object.keys(style).length === 0) return members
  if (isPlain({ ...before, richText: before.richText })) return { ...members, richText: plainRichText(members) }
  const richText = restyledText(before.richText, style)
  return { ...members, ...styleOfBody(richText.body), richText }
}

interface WrittenText {
  readonly written: WrittenRichText
  /** Style that is written beside the rich text. */
  readonly style: Partial<TextStyle>
  readonly before: Members
  /** True if plain text is written beside the rich text. */
  readonly hasContents: boolean
}

function richMembers(members: StyledText, { written, style, before, hasContents }: WrittenText): Members {
  const { body: stated, paragraphs } = readableRichText(written)
  const known = isStyledText(before) && before.richText !== undefined ? before.richText.body : bodyOf(members)
  const body = restyled({ ...known, ...stated }, style)
  const { align, dir } = body
  const richText = { body, paragraphs: paragraphs.map((paragraph) => ({ align, dir, ...paragraph })) }
  return { ...styleOfBody(body), richText, ...(!hasContents && { contents: plainTextOf(richText) }) }
}

const isRichText = (value: unknown): value is WrittenRichText =>
  typeof value === 'object' && value !== null && 'paragraphs' in value
