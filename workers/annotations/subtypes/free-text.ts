// Text on the page. Its background is /C, and its border has the colour of the default appearance: the standard defines
// neither, but common writers and readers agree on it. The look of the plain text is in /DA and /Q, that of the rich
// text in /DS.
import { FreeText, type FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { WrittenRichText } from '../../contract/rich-text.js'
import { black, colorOf } from '../../objects/colors.js'
import { lookUp } from '../../objects/look-up.js'
import { entry, nameOf } from '../../objects/values.js'
import { drawTextBox } from '../drawing/text-box.js'
import { putColor, putName, putPoints, putText } from '../entries.js'
import type { Members } from '../members.js'
import { borderOf, cloudOf, opacityOf } from '../reading/shared-members.js'
import { calloutOf, plainLookOf, richTextOf } from '../reading/text-members.js'
import { boxOf } from '../reading/turns.js'
import { plainTextOf, richTextSource } from '../rich-text.js'
import { subtypeWork } from '../subtype-work.js'
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
    richText: null,
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
  reconciled: agreeOnText,
  read(source, common) {
    const { object } = source
    const text = plainLookOf(source)
    return {
      subtype: 'free-text',
      ...common,
      ...boxOf(source),
      ...borderOf(source),
      ...cloudOf(source),
      intent: lookUp(intents, nameOf(entry(object, 'IT'))) ?? 'free-text',
      ...text,
      richText: richTextOf(source, text),
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
      const style = [
        `font-family:${familyOf(fontFamily)}`,
        `font-size:${fontSize}pt`,
        `font-weight:${fontFamily.includes('bold') ? 'bold' : 'normal'}`,
        `font-style:${/italic|oblique/.test(fontFamily) ? 'italic' : 'normal'}`,
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
    group(['richText'], ({ richText }, written) =>
      putText(written, 'RC', richText === null ? null : richTextSource(richText)),
    ),
    group(['calloutLine', 'lineEnding'], ({ calloutLine, lineEnding }, written) => {
      putPoints(written, 'CL', calloutLine)
      putName(written, 'LE', lineEnding === null || calloutLine === null ? null : endingName(lineEnding))
    }),
  ],
  unseen: ['intent'],
  seen: ['contents'],
  draw: (sheet, state, { space }) => drawTextBox(sheet, state, space),
})

const familyOf = (font: string): string => font.replace(/-.*$/, '')

/**
 * Makes plain and rich text consistent: the one that is not written follows from the other. Only a callout line has
 * an ending.
 */
function agreeOnText(wanted: FreeTextAnnotation, given: ReadonlySet<string>): FreeTextAnnotation {
  const state = wanted.calloutLine === null ? { ...wanted, lineEnding: null } : wanted
  if (given.has('richText') && state.richText !== null && !given.has('contents')) {
    return { ...state, contents: plainTextOf(state.richText) }
  }
  return given.has('contents') && !given.has('richText') ? { ...state, richText: null } : state
}

/**
 * Fills in styles: the annotation's for those that the body does not set, and the body's for those that a paragraph
 * does not set.
 */
function withRichText(members: Members): Members {
  const { richText, fontFamily, fontSize, fontColor, textAlign } = members
  if (!isRichText(richText)) return members
  const body = {
    fontFamily,
    fontSize,
    color: fontColor,
    bold: /bold/.test(String(fontFamily)),
    italic: /italic|oblique/.test(String(fontFamily)),
    underline: false,
    strikethrough: false,
    align: textAlign,
    dir: 'ltr',
    ...richText.body,
  }
  const paragraphs = richText.paragraphs.map((paragraph) => ({ align: body.align, dir: body.dir, ...paragraph }))
  return { ...members, richText: { body, paragraphs } }
}

/** The members were validated one by one before. */
const isRichText = (value: unknown): value is WrittenRichText =>
  typeof value === 'object' && value !== null && 'body' in value && 'paragraphs' in value
