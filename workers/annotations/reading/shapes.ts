// Drawn shapes: rectangles, ellipses, polygons, lines and strokes of a pen.
import type { LineAnnotation } from '../../contract/annotations/line.js'
import type { PolygonAnnotation } from '../../contract/annotations/polygon.js'
import { lookUp } from '../../objects/look-up.js'
import { ownKeys } from '../../objects/own-keys.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { booleanOf, elementsOf, entry, isArray, nameOf, numberOf, numbersOf } from '../../objects/values.js'
import { measurementOf } from '../../pages/measures.js'
import type { AnnotationSource, ReadAnnotation } from './annotation-source.js'
import { cloudOf, fillOf, strokeOf, verticesOf } from './families.js'
import { lineEndingsOf } from './line-endings.js'
import { boxOf, rotationOf } from './turns.js'

export const polygonIntents: Readonly<Record<string, PolygonAnnotation['intent']>> = {
  PolygonCloud: 'polygon-cloud',
  PolygonDimension: 'polygon-dimension',
}

export const lineIntents: Readonly<Record<string, LineAnnotation['intent']>> = {
  LineArrow: 'line-arrow',
  LineDimension: 'line-dimension',
}

export const readSquare: ReadAnnotation = (source, common) => ({
  subtype: 'square',
  ...common,
  ...fillOf(source),
  ...boxOf(source),
  ...cloudOf(source),
})

export const readCircle: ReadAnnotation = (source, common) => ({
  subtype: 'circle',
  ...common,
  ...fillOf(source),
  ...boxOf(source),
  ...cloudOf(source),
})

export const readPolygon: ReadAnnotation = (source, common) => ({
  subtype: 'polygon',
  ...common,
  ...fillOf(source),
  ...cloudOf(source),
  vertices: verticesOf(source),
  rotation: rotationOf(source),
  intent: lookUp(polygonIntents, nameOf(entry(source.object, 'IT'))) ?? null,
  ...scaleOf(source),
  ...captionOf(source),
})

export const readPolyline: ReadAnnotation = (source, common) => ({
  subtype: 'polyline',
  ...common,
  ...fillOf(source),
  vertices: verticesOf(source),
  rotation: rotationOf(source),
  ...lineEndingsOf(source),
  intent: nameOf(entry(source.object, 'IT')) === 'PolyLineDimension' ? 'polyline-dimension' : null,
  ...scaleOf(source),
  ...captionOf(source),
})

export const readLine: ReadAnnotation = (source, common) => {
  const { object } = source
  const [along, perpendicular] = numbersOf(entry(object, 'CO'), 2) ?? []
  return {
    subtype: 'line',
    ...common,
    ...fillOf(source),
    rotation: rotationOf(source),
    linePoints: linePointsOf(source),
    ...lineEndingsOf(source),
    intent: lookUp(lineIntents, nameOf(entry(object, 'IT'))) ?? null,
    ...scaleOf(source),
    captionEnabled: booleanOf(entry(object, 'Cap')) ?? false,
    captionPosition: nameOf(entry(object, 'CP')) === 'Top' ? 'top' : 'inline',
    captionOffset: along === undefined || perpendicular === undefined ? null : { along, perpendicular },
    leader: leaderOf(source),
  }
}

export const readInk: ReadAnnotation = (source, common) => ({
  subtype: 'ink',
  ...common,
  ...strokeOf(source),
  rotation: rotationOf(source),
  inkList: strokesOf(source),
  intent: nameOf(entry(source.object, 'IT')) === 'InkHighlight' ? 'ink-highlight' : null,
})

function strokesOf({ reading, object, space }: AnnotationSource) {
  const list = entry(object, 'InkList')
  const strokes = isArray(list) ? [...elementsOf(list, readingLimits.numbersMax)] : []
  return strokes
    .map((stroke) => space.toPagePoints(reading.numbers(stroke) ?? []))
    .filter((points) => points.length > 0)
}

/** A line that does not say where it runs, runs through its rectangle. */
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

const scaleOf = ({ reading, object, space }: AnnotationSource) => ({
  measure: measurementOf(reading, entry(object, 'Measure'), space),
})

/** The standard knows captions of lines only; writers put the same key on polygons. */
function captionOf({ object, space }: AnnotationSource) {
  const [x, y] = numbersOf(entry(object, ownKeys.captionCenter), 2) ?? []
  return {
    captionEnabled: booleanOf(entry(object, 'Cap')) ?? null,
    captionCenter: x === undefined || y === undefined ? null : space.toPagePoint(x, y),
  }
}
