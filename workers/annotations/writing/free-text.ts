// Free text: what the plain text looks like stands in /DA and /Q, what the rich text does in /DS.

import type { FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import { putColor, putName, putPoints, putText } from '../entries.js'
import { freeTextIntents } from '../reading/free-text.js'
import { plainTextOf, richTextSource } from '../rich-text.js'
import {
  borderGroup,
  cloudGroup,
  endingName,
  intentGroup,
  opacityGroup,
  putAlign,
  putDefaultAppearance,
  rotationGroup,
} from './families.js'
import { group, type MemberGroup } from './member-group.js'

export const freeTextGroups: readonly MemberGroup<FreeTextAnnotation>[] = [
  rotationGroup,
  borderGroup,
  cloudGroup,
  opacityGroup,
  intentGroup(freeTextIntents),
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
  // What lies behind the text is /C here, whatever it is elsewhere: so the readers people use have it.
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
]

const familyOf = (font: string): string => font.replace(/-.*$/, '')

/** The two texts say the same: whichever is written, the other follows. And only a line has an end. */
export function agreeOnText(wanted: FreeTextAnnotation, given: ReadonlySet<string>): FreeTextAnnotation {
  const state = wanted.calloutLine === null ? { ...wanted, lineEnding: null } : wanted
  if (given.has('richText') && state.richText !== null && !given.has('contents')) {
    return { ...state, contents: plainTextOf(state.richText) }
  }
  return given.has('contents') && !given.has('richText') ? { ...state, richText: null } : state
}
