// The mark where text should be put in: two curves that meet in a point.

import type { CaretAnnotation } from '../../contract/annotations/caret.js'
import type { PageSpace } from '../../document/page-space.js'
import { fillColor } from '../../text/content.js'
import { cornersOf, middleOf } from './geometry.js'
import type { Sheet } from './sheet.js'

export function drawCaret(sheet: Sheet, { box, rotation, color }: CaretAnnotation, space: PageSpace): void {
  const target = space.toUserRect(box)
  const { left, bottom, right, top } = target
  const middle = middleOf(target)
  sheet.turned(middle, rotation, () => {
    sheet.cover(cornersOf(target))
    sheet.add(fillColor(color))
    sheet.lines([{ x: left, y: bottom }])
    sheet.curve({ x: middle.x, y: bottom }, { x: middle.x, y: middle.y }, { x: middle.x, y: top })
    sheet.curve({ x: middle.x, y: middle.y }, { x: middle.x, y: bottom }, { x: right, y: bottom })
    sheet.add('f')
  })
}
