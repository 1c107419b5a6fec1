// Rectangles and, for circles, ellipses; optionally with a cloudy border.
import { Square } from '../../contract/annotations/square.js'
import { drawBoxed } from '../drawing/boxed.js'
import { cloudOf, fillOf } from '../reading/shared-members.js'
import { boxOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import { cloudGroup, fillGroups, rotationGroup } from '../writing/shared-members.js'
import { standardFill } from '../writing/standards.js'

export const work = subtypeWork(Square, {
  shape: 'box',
  standard: { ...standardFill, rotation: null, cloudyIntensity: null },
  read: (source, common) => ({
    subtype: 'square',
    ...common,
    ...fillOf(source),
    ...boxOf(source),
    ...cloudOf(source),
  }),
  groups: [...fillGroups, rotationGroup, cloudGroup],
  draw: (sheet, state, { space, subtype }) =>
    drawBoxed(sheet, state, space, subtype === 'circle' ? 'ellipse' : 'rectangle'),
})
