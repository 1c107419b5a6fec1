// Lines through text.
import { Strikeout } from '../../contract/annotations/strikeout.js'
import { entry, nameOf } from '../../objects/values.js'
import { drawLineOver } from '../drawing/quads.js'
import { quadsOf } from '../reading/quads.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { colourGroups, intentGroup, quadsGroup } from '../writing/shared-members.js'
import { red } from '../writing/standards.js'

export const work = subtypeWork(Strikeout, {
  shape: 'drawn',
  standard: { color: red, opacity: 1, intent: null },
  read: (source, common) => ({
    subtype: 'strikeout',
    ...common,
    ...colourOf(source),
    ...quadsOf(source),
    intent: nameOf(entry(source.object, 'IT')) === 'StrikeOutTextEdit' ? 'strikeout-text-edit' : null,
  }),
  groups: [...colourGroups, quadsGroup, intentGroup({ StrikeOutTextEdit: 'strikeout-text-edit' })],
  invisible: ['intent'],
  draw: (sheet, state, { space }) => drawLineOver(7 / 16)(sheet, state, space),
})
