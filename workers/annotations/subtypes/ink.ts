// Free strokes of a pen.
import { Ink, type InkAnnotation } from '../../contract/annotations/ink.js'
import type { PageSpace } from '../../document/page-space.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { emptyRect } from '../../objects/rectangles.js'
import { elementsOf, entry, isArray, nameOf } from '../../objects/values.js'
import { boundsOf, middleOf, type Point } from '../drawing/geometry.js'
import { penOf } from '../drawing/pen.js'
import type { Sheet } from '../drawing/sheet.js'
import { numbersOfPoints } from '../entries.js'
import type { AnnotationSource } from '../reading/annotation-source.js'
import { strokeOf } from '../reading/shared-members.js'
import { rotationOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import { borderGroup, colourGroups, intentGroup, rotationGroup } from '../writing/shared-members.js'
import { standardStroke } from '../writing/standards.js'

export const work = subtypeWork(Ink, {
  shape: 'drawn',
  standard: { ...standardStroke, rotation: null, intent: null },
  // A highlighting pen must not cover the text.
  standardFor: ({ intent }) => (intent === 'ink-highlight' ? { blendMode: 'multiply' } : {}),
  read: (source, common) => ({
    subtype: 'ink',
    ...common,
    ...strokeOf(source),
    rotation: rotationOf(source),
    inkList: strokesOf(source),
    intent: nameOf(entry(source.object, 'IT')) === 'InkHighlight' ? 'ink-highlight' : null,
  }),
  groups: [
    ...colourGroups,
    borderGroup,
    rotationGroup,
    intentGroup({ InkHighlight: 'ink-highlight' }),
    group(['inkList'], ({ inkList }, { object, change, space }) => {
      const list = change.pdf.newArray()
      for (const stroke of inkList) list.push(numbersOfPoints(space, stroke))
      object.put('InkList', list)
    }),
  ],
  invisible: ['intent'],
  draw: (sheet, state, { space }) => drawInk(sheet, state, space),
})

function strokesOf({ reading, object, space }: AnnotationSource) {
  const list = entry(object, 'InkList')
  const strokes = isArray(list) ? [...elementsOf(list, readingLimits.numbersMax)] : []
  return strokes
    .map((stroke) => space.toPagePoints(reading.numbers(stroke) ?? []))
    .filter((points) => points.length > 0)
}

function drawInk(sheet: Sheet, annotation: InkAnnotation, space: PageSpace): void {
  const strokes = annotation.inkList.map((stroke) => stroke.map((point) => space.toUserPoint(point)))
  const all = strokes.flat()
  sheet.turned(middleOf(boundsOf(all) ?? emptyRect), annotation.rotation, () => {
    sheet.cover(all, annotation.strokeWidth / 2)
    const paint = sheet.pen(penOf(annotation), false)
    if (paint === undefined) return
    sheet.add('1 j 1 J')
    for (const stroke of strokes) sheet.lines(dotted(stroke))
    sheet.add(paint)
  })
}

/** Draws a stroke of one point as a dot: a line of length zero with round caps. */
const dotted = (stroke: readonly Point[]): readonly Point[] => (stroke.length === 1 ? [...stroke, ...stroke] : stroke)
