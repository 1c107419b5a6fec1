// Lines under text.
import { Underline } from '../../contract/annotations/underline.js'
import { drawLineOver } from '../drawing/quads.js'
import { quadsOf } from '../reading/quads.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { colourGroups, quadsGroup } from '../writing/shared-members.js'
import { red } from '../writing/standards.js'

export const work = subtypeWork(Underline, {
  shape: 'drawn',
  standard: { color: red, opacity: 1 },
  read: (source, common) => ({ subtype: 'underline', ...common, ...colourOf(source), ...quadsOf(source) }),
  groups: [...colourGroups, quadsGroup],
  draw: (sheet, state, { space }) => drawLineOver(1 / 14)(sheet, state, space),
})
