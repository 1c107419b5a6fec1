// Straight lines with leader lines to the measured object, endings and a caption.
import { Line, type LineAnnotation } from '../../contract/annotations/line.js'
import { lookUp } from '../../objects/look-up.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { booleanOf, entry, nameOf, numberOf, numbersOf } from '../../objects/values.js'
import { drawLine } from '../drawing/straight-line.js'
import { putBoolean, putName, putNumber, putNumbers, putPoints } from '../entries.js'
import type { AnnotationSource } from '../reading/annotation-source.js'
import { measureOf } from '../reading/captions.js'
import { lineEndingsOf } from '../reading/line-endings.js'
import { fillOf } from '../reading/shared-members.js'
import { rotationOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import { endingsGroup, fillGroups, intentGroup, measureGroup, rotationGroup } from '../writing/shared-members.js'
import { captionTexts, standardEndings, standardFill } from '../writing/standards.js'

const intents: Readonly<Record<string, LineAnnotation['intent']>> = {
  LineArrow: 'line-arrow',
  LineDimension: 'line-dimension',
}

export const work = subtypeWork(Line, {
  shape: 'drawn',
  standard: {
    ...standardFill,
    ...standardEndings,
    rotation: null,
    intent: null,
    measure: null,
    captionEnabled: false,
    captionPosition: 'inline',
    captionOffset: null,
    leader: null,
  },
  read(source, common) {
    const { object } = source
    const [along, perpendicular] = numbersOf(entry(object, 'CO'), 2) ?? []
    return {
      subtype: 'line',
      ...common,
      ...fillOf(source),
      rotation: rotationOf(source),
      linePoints: linePointsOf(source),
      ...lineEndingsOf(source),
      intent: lookUp(intents, nameOf(entry(object, 'IT'))) ?? null,
      ...measureOf(source),
      captionEnabled: booleanOf(entry(object, 'Cap')) ?? false,
      captionPosition: nameOf(entry(object, 'CP')) === 'Top' ? 'top' : 'inline',
      captionOffset: along === undefined || perpendicular === undefined ? null : { along, perpendicular },
      leader: leaderOf(source),
    }
  },
  groups: [
    ...fillGroups,
    rotationGroup,
    endingsGroup,
    measureGroup,
    intentGroup(intents),
    group(['linePoints'], ({ linePoints: { start, end } }, written) => putPoints(written, 'L', [start, end])),
    group(['captionEnabled'], ({ captionEnabled }, written) => putBoolean(written, 'Cap', captionEnabled)),
    group(['captionPosition'], ({ captionPosition }, written) =>
      putName(written, 'CP', captionPosition === 'top' ? 'Top' : 'Inline'),
    ),
    group(['captionOffset'], ({ captionOffset: offset }, written) =>
      putNumbers(written, 'CO', offset === null ? null : [offset.along, offset.perpendicular]),
    ),
    group(['leader'], ({ leader }, written) => {
      putNumber(written, 'LL', leader?.length)
      putNumber(written, 'LLE', leader?.extension)
      putNumber(written, 'LLO', leader?.offset)
    }),
  ],
  invisible: ['intent'],
  visible: captionTexts,
  draw: (sheet, state, { space }) => drawLine(sheet, state, space),
})

/** Reads the end points; a line without any runs through its rectangle. */
function linePointsOf({ object, space }: AnnotationSource): LineAnnotation['linePoints'] {
  const { left, bottom, right, top } = rectangleOf(entry(object, 'Rect')) ?? emptyRect
  const numbers = numbersOf(entry(object, 'L'), 4) ?? []
  const [x1, y1, x2, y2] = numbers.length === 4 ? numbers : [left, bottom, right, top]
  return { start: space.toPagePoint(x1 ?? left, y1 ?? bottom), end: space.toPagePoint(x2 ?? right, y2 ?? top) }
}

function leaderOf({ object }: AnnotationSource): LineAnnotation['leader'] {
  const length = numberOf(entry(object, 'LL'))
  if (length === undefined) return null
  const extension = numberOf(entry(object, 'LLE'))
  const offset = numberOf(entry(object, 'LLO'))
  return { length, ...(extension !== undefined && { extension }), ...(offset !== undefined && { offset }) }
}
