// Closed shapes of straight sides.
import { Polygon, type PolygonAnnotation } from '../../contract/annotations/polygon.js'
import type { PageSpace } from '../../document/page-space.js'
import { lookUp } from '../../objects/look-up.js'
import { emptyRect } from '../../objects/rectangles.js'
import { entry, nameOf } from '../../objects/values.js'
import { drawShapeCaption } from '../drawing/caption.js'
import { cloudReach, drawCloud } from '../drawing/cloud.js'
import { boundsOf, middleOf } from '../drawing/geometry.js'
import { writtenArea } from '../drawing/measured.js'
import { penOf } from '../drawing/pen.js'
import type { Sheet } from '../drawing/sheet.js'
import { captionOf, measureOf } from '../reading/captions.js'
import { cloudOf, fillOf, verticesOf } from '../reading/shared-members.js'
import { rotationOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import {
  captionGroups,
  cloudGroup,
  fillGroups,
  intentGroup,
  measureGroup,
  rotationGroup,
  verticesGroup,
} from '../writing/shared-members.js'
import { captionTexts, standardCaption, standardFill } from '../writing/standards.js'

const intents: Readonly<Record<string, PolygonAnnotation['intent']>> = {
  PolygonCloud: 'polygon-cloud',
  PolygonDimension: 'polygon-dimension',
}

export const work = subtypeWork(Polygon, {
  shape: 'drawn',
  standard: { ...standardFill, ...standardCaption, rotation: null, cloudyIntensity: null, intent: null },
  read: (source, common) => ({
    subtype: 'polygon',
    ...common,
    ...fillOf(source),
    ...cloudOf(source),
    vertices: verticesOf(source),
    rotation: rotationOf(source),
    intent: lookUp(intents, nameOf(entry(source.object, 'IT'))) ?? null,
    ...measureOf(source),
    ...captionOf(source),
  }),
  groups: [
    ...fillGroups,
    rotationGroup,
    cloudGroup,
    verticesGroup,
    ...captionGroups,
    measureGroup,
    intentGroup(intents),
  ],
  invisible: ['intent'],
  visible: captionTexts,
  draw: (sheet, state, { space }) => drawPolygon(sheet, state, space),
})

function drawPolygon(sheet: Sheet, annotation: PolygonAnnotation, space: PageSpace): void {
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
    const middle = middleOf(boundsOf(points) ?? emptyRect)
    drawShapeCaption(sheet, annotation, { points, space, middle, measured: writtenArea })
  })
}
