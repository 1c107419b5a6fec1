// Rectangles, ellipses, polygons, polylines and strokes of a pen.

import type { InkAnnotation } from '../../contract/annotations/ink.js'
import type { PolygonAnnotation } from '../../contract/annotations/polygon.js'
import type { PolylineAnnotation } from '../../contract/annotations/polyline.js'
import type { CircleAnnotation, SquareAnnotation } from '../../contract/annotations/square-circle.js'
import type { PageSpace } from '../../document/page-space.js'
import { emptyRect } from '../../objects/rectangles.js'
import { drawShapeCaption } from './caption.js'
import { cloudReach, drawCloud, ellipsePoints } from './cloud.js'
import { drawEnding } from './endings.js'
import { boundsOf, cornersOf, direction, middleOf, outset, type Point } from './geometry.js'
import type { Sheet } from './sheet.js'

type Boxed = SquareAnnotation | CircleAnnotation

/** The line runs inside of the box. */
export function drawBoxed(sheet: Sheet, annotation: Boxed, space: PageSpace): void {
  const { rotation, strokeWidth, cloudyIntensity } = annotation
  const box = space.toUserRect(annotation.box)
  const inner = outset(box, -Math.min(strokeWidth / 2, annotation.box.width / 2, annotation.box.height / 2))
  const isRound = annotation.subtype === 'circle'
  sheet.turned(middleOf(box), rotation, () => {
    sheet.cover(cornersOf(box))
    const paint = sheet.pen(penOf(annotation), true)
    if (paint === undefined) return
    if (cloudyIntensity !== null) {
      const corners = isRound
        ? ellipsePoints(middleOf(box), annotation.box.width, annotation.box.height)
        : cornersOf(box)
      sheet.cover(cornersOf(box), cloudReach(cloudyIntensity) + strokeWidth / 2)
      sheet.add('1 j')
      drawCloud(sheet, corners, cloudyIntensity)
    } else if (isRound) sheet.ellipse(inner)
    else sheet.rectangle(inner)
    sheet.add(paint)
  })
}

export function drawPolygon(sheet: Sheet, annotation: PolygonAnnotation, space: PageSpace): void {
  const { strokeWidth, cloudyIntensity, rotation } = annotation
  const points = annotation.vertices.map((vertex) => space.toUserPoint(vertex))
  sheet.turned(middleOf(boundsOf(points) ?? emptyRect), rotation, () => {
    sheet.cover(points, strokeWidth / 2 + (cloudyIntensity === null ? 0 : cloudReach(cloudyIntensity)))
    const paint = sheet.pen(penOf(annotation), true)
    if (paint !== undefined) {
      sheet.add('1 j')
      if (cloudyIntensity === null) sheet.lines(points)
      else drawCloud(sheet, points, cloudyIntensity)
      sheet.add(paint)
    }
    drawShapeCaption(sheet, annotation, points, space)
  })
}

export function drawPolyline(sheet: Sheet, annotation: PolylineAnnotation, space: PageSpace): void {
  const { strokeWidth, lineEndings, rotation, interiorColor } = annotation
  const points = annotation.vertices.map((vertex) => space.toUserPoint(vertex))
  const [first, second] = points
  const [last, before] = [points.at(-1), points.at(-2)]
  sheet.turned(middleOf(boundsOf(points) ?? emptyRect), rotation, () => {
    sheet.cover(points, strokeWidth / 2)
    // The interior colour is that of the endings: an open line has no inside.
    const paint = sheet.pen({ ...penOf(annotation), interiorColor: null }, false)
    if (paint === undefined) return
    sheet.add('1 j')
    sheet.lines(points)
    sheet.add(paint)
    const isFilled = interiorColor !== null
    sheet.pen({ ...penOf(annotation), strokeWidth: 0 }, false)
    if (first !== undefined && second !== undefined) {
      drawEnding(sheet, lineEndings.start, { tip: first, inwards: direction(first, second), strokeWidth, isFilled })
    }
    if (last !== undefined && before !== undefined) {
      drawEnding(sheet, lineEndings.end, { tip: last, inwards: direction(last, before), strokeWidth, isFilled })
    }
    drawShapeCaption(sheet, annotation, points, space)
  })
}

export function drawInk(sheet: Sheet, annotation: InkAnnotation, space: PageSpace): void {
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

/** A stroke of one point is a dot: a line to itself, with round ends. */
const dotted = (stroke: readonly Point[]): readonly Point[] => (stroke.length === 1 ? [...stroke, ...stroke] : stroke)

export const penOf = ({ color, strokeWidth, borderStyle, dashArray, ...others }: Bordered) => ({
  color,
  strokeWidth,
  dashArray: borderStyle === 'dashed' ? dashArray : null,
  interiorColor: others.interiorColor ?? null,
})

interface Bordered extends Pick<SquareAnnotation, 'color' | 'strokeWidth' | 'borderStyle' | 'dashArray'> {
  readonly interiorColor?: string | null
}
