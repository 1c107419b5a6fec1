// Drawn shapes, lines and strokes of a pen.

import type { InkAnnotation } from '../../contract/annotations/ink.js'
import type { LineAnnotation } from '../../contract/annotations/line.js'
import type { PolygonAnnotation } from '../../contract/annotations/polygon.js'
import type { PolylineAnnotation } from '../../contract/annotations/polyline.js'
import type { SquareAnnotation } from '../../contract/annotations/square-circle.js'
import { numbersOfPoints, putBoolean, putName, putNumber, putNumbers, putPoints } from '../entries.js'
import { lineIntents, polygonIntents } from '../reading/shapes.js'
import {
  borderGroup,
  captionGroups,
  cloudGroup,
  colourGroups,
  endingsGroup,
  fillGroups,
  intentGroup,
  measureGroup,
  rotationGroup,
  verticesGroup,
} from './families.js'
import { group, type MemberGroup } from './member-group.js'

export const boxedGroups: readonly MemberGroup<Omit<SquareAnnotation, 'subtype'>>[] = [
  ...fillGroups,
  rotationGroup,
  cloudGroup,
]

export const polygonGroups: readonly MemberGroup<PolygonAnnotation>[] = [
  ...fillGroups,
  rotationGroup,
  cloudGroup,
  verticesGroup,
  ...captionGroups,
  measureGroup,
  intentGroup(polygonIntents),
]

export const polylineGroups: readonly MemberGroup<PolylineAnnotation>[] = [
  ...fillGroups,
  rotationGroup,
  verticesGroup,
  endingsGroup,
  ...captionGroups,
  measureGroup,
  intentGroup({ PolyLineDimension: 'polyline-dimension' }),
]

export const lineGroups: readonly MemberGroup<LineAnnotation>[] = [
  ...fillGroups,
  rotationGroup,
  endingsGroup,
  measureGroup,
  intentGroup(lineIntents),
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
]

export const inkGroups: readonly MemberGroup<InkAnnotation>[] = [
  ...colourGroups,
  borderGroup,
  rotationGroup,
  intentGroup({ InkHighlight: 'ink-highlight' }),
  group(['inkList'], ({ inkList }, { object, change, space }) => {
    const list = change.pdf.newArray()
    for (const stroke of inkList) list.push(numbersOfPoints(space, stroke))
    object.put('InkList', list)
  }),
]
