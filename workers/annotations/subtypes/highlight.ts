// Colour behind text: one path for all quads, so that overlapping quads are not darker.
import { Highlight } from '../../contract/annotations/highlight.js'
import { fillColor } from '../../text/content-operands.js'
import { userQuads } from '../drawing/quads.js'
import { quadsOf } from '../reading/quads.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { colourGroups, quadsGroup } from '../writing/shared-members.js'
import { yellow } from '../writing/standards.js'

export const work = subtypeWork(Highlight, {
  shape: 'drawn',
  standard: { color: yellow, opacity: 1, blendMode: 'multiply' },
  read: (source, common) => ({ subtype: 'highlight', ...common, ...colourOf(source), ...quadsOf(source) }),
  groups: [...colourGroups, quadsGroup],
  draw(sheet, { color, quadPoints }, { space }) {
    sheet.add(fillColor(color))
    for (const quad of userQuads(quadPoints, space)) {
      const corners = [quad.upperLeft, quad.upperRight, quad.lowerRight, quad.lowerLeft]
      sheet.lines(corners)
      sheet.add('h')
      sheet.cover(corners)
    }
    sheet.add('f')
  },
})
