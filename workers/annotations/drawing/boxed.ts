// Draws rectangles and ellipses within a box.
import type { Boxed } from '../../contract/annotations/shared-members.js'
import type { PageSpace } from '../../document/page-space.js'
import { cloudReach, drawCloud, ellipsePoints } from './cloud.js'
import { cornersOf, middleOf, outset } from './geometry.js'
import { penOf } from './pen.js'
import type { Sheet } from './sheet.js'

/** Draws the border inside the box. */
export function drawBoxed(sheet: Sheet, annotation: Boxed, space: PageSpace, outline: 'rectangle' | 'ellipse'): void {
  const { rotation, strokeWidth, cloudyIntensity } = annotation
  const box = space.toUserRect(annotation.box)
  const inner = outset(box, -Math.min(strokeWidth / 2, annotation.box.width / 2, annotation.box.height / 2))
  const isRound = outline === 'ellipse'
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
