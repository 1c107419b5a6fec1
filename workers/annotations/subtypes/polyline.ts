// Lines of several straight segments.
import { Polyline, type PolylineAnnotation } from '../../contract/annotations/polyline.js'
import type { PageSpace } from '../../document/page-space.js'
import { emptyRect } from '../../objects/rectangles.js'
import { entry, nameOf } from '../../objects/values.js'
import { leading } from '../../text/text-lines.js'
import { captionSize, drawShapeCaption } from '../drawing/caption.js'
import { drawEnding } from '../drawing/endings.js'
import { between, boundsOf, direction, middleOf, type Point, plus } from '../drawing/geometry.js'
import { writtenLength } from '../drawing/measured.js'
import { penOf } from '../drawing/pen.js'
import type { Sheet } from '../drawing/sheet.js'
import { captionOf, measureOf } from '../reading/captions.js'
import { lineEndingsOf } from '../reading/line-endings.js'
import { fillOf, verticesOf } from '../reading/shared-members.js'
import { rotationOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import {
  captionGroups,
  endingsGroup,
  fillGroups,
  intentGroup,
  measureGroup,
  rotationGroup,
  verticesGroup,
} from '../writing/shared-members.js'
import { captionTexts, standardCaption, standardEndings, standardFill } from '../writing/standards.js'

export const work = subtypeWork(Polyline, {
  shape: 'drawn',
  standard: { ...standardFill, ...standardCaption, ...standardEndings, rotation: null, intent: null },
  read: (source, common) => ({
    subtype: 'polyline',
    ...common,
    ...fillOf(source),
    vertices: verticesOf(source),
    rotation: rotationOf(source),
    ...lineEndingsOf(source),
    intent: nameOf(entry(source.object, 'IT')) === 'PolyLineDimension' ? 'polyline-dimension' : null,
    ...measureOf(source),
    ...captionOf(source),
  }),
  groups: [
    ...fillGroups,
    rotationGroup,
    verticesGroup,
    endingsGroup,
    ...captionGroups,
    measureGroup,
    intentGroup({ PolyLineDimension: 'polyline-dimension' }),
  ],
  invisible: ['intent'],
  visible: captionTexts,
  draw: (sheet, state, { space }) => drawPolyline(sheet, state, space),
})

function drawPolyline(sheet: Sheet, annotation: PolylineAnnotation, space: PageSpace): void {
  const { strokeWidth, lineEndings, rotation, interiorColor } = annotation
  const points = annotation.vertices.map((vertex) => space.toUserPoint(vertex))
  const [first, second] = points
  const [last, before] = [points.at(-1), points.at(-2)]
  sheet.turned(middleOf(boundsOf(points) ?? emptyRect), rotation, () => {
    sheet.cover(points, strokeWidth / 2)
    // The interior colour is that of the endings, because an open line has no interior.
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
    drawShapeCaption(sheet, annotation, { points, space, middle: captionMiddle(points), measured: writtenLength })
  })
}

/** Returns the point above the centre of the middle segment. */
function captionMiddle(points: readonly Point[]): Point {
  const part = Math.floor((points.length - 1) / 2)
  const middle = between(points[part] ?? origin, points[part + 1] ?? origin)
  return plus(middle, { x: 0, y: captionSize * leading })
}

const origin: Point = { x: 0, y: 0 }
