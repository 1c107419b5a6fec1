// Mark where text should be inserted: two curves that meet in a point.
import { Caret } from '../../contract/annotations/caret.js'
import { entry, nameOf } from '../../objects/values.js'
import { fillColor } from '../../text/content-operands.js'
import { cornersOf, middleOf } from '../drawing/geometry.js'
import { colourOf } from '../reading/shared-members.js'
import { boxOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import { colourGroups, intentGroup, rotationGroup } from '../writing/shared-members.js'
import { red } from '../writing/standards.js'

export const work = subtypeWork(Caret, {
  shape: 'box',
  standard: { color: red, opacity: 1, rotation: null, intent: null },
  read: (source, common) => ({
    subtype: 'caret',
    ...common,
    ...colourOf(source),
    ...boxOf(source),
    intent: nameOf(entry(source.object, 'IT')) === 'Replace' ? 'replace' : null,
  }),
  groups: [...colourGroups, rotationGroup, intentGroup({ Replace: 'replace' })],
  invisible: ['intent'],
  draw(sheet, { box, rotation, color }, { space }) {
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
  },
})
