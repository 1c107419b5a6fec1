// Regions whose content is to be removed (ISO 32000-2, table 195).
import { Redact } from '../../contract/annotations/redact.js'
import type { Color } from '../../contract/color.js'
import { black, colorOf } from '../../objects/colors.js'
import { booleanOf, entry } from '../../objects/values.js'
import { strokeColor } from '../../text/content-operands.js'
import { cornersOf, outset, type Point } from '../drawing/geometry.js'
import { userQuads } from '../drawing/quads.js'
import type { Sheet } from '../drawing/sheet.js'
import { putBoolean, putText } from '../entries.js'
import { ownQuadsOf } from '../reading/quads.js'
import { colourOf } from '../reading/shared-members.js'
import { alignOf, fontResources, textLookOf } from '../reading/text-look.js'
import { isRegionOfRect, quadOfBox } from '../region-of-rect.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import { colourGroups, interiorGroup, putAlign, putDefaultAppearance, putQuads } from '../writing/shared-members.js'
import { red } from '../writing/standards.js'

export const work = subtypeWork(Redact, {
  shape: 'region',
  standard: {
    color: red,
    opacity: 1,
    interiorColor: null,
    overlayText: null,
    repeat: false,
    fontFamily: 'helvetica',
    fontSize: 0,
    fontColor: black,
    textAlign: 'left',
  },
  read(source, common) {
    const { object, reading } = source
    const look = textLookOf(entry(object, 'DA'), fontResources(object, reading.form))
    return {
      subtype: 'redact',
      ...common,
      ...colourOf(source),
      quadPoints: ownQuadsOf(source) ?? [quadOfBox(common.rect)],
      interiorColor: colorOf(entry(object, 'IC')) ?? null,
      overlayText: reading.text(object, 'OverlayText') ?? null,
      repeat: booleanOf(entry(object, 'Repeat')) ?? false,
      fontFamily: look.fontFamily ?? 'helvetica',
      fontSize: look.fontSize ?? 0,
      fontColor: look.fillColor ?? black,
      textAlign: alignOf(entry(object, 'Q')) ?? 'left',
    }
  },
  groups: [
    ...colourGroups,
    interiorGroup,
    group(['quadPoints'], (state, written) => putQuads(written, isRegionOfRect(state) ? null : state.quadPoints)),
    group(['overlayText'], ({ overlayText }, written) => putText(written, 'OverlayText', overlayText)),
    group(['repeat'], ({ repeat }, written) => putBoolean(written, 'Repeat', repeat)),
    group(['fontFamily', 'fontSize', 'fontColor', 'textAlign'], (state, written) => {
      putDefaultAppearance(written, state)
      putAlign(written, state.textAlign)
    }),
  ],
  invisible: ['interiorColor', 'overlayText', 'repeat', 'fontFamily', 'fontSize', 'fontColor', 'textAlign'],
  draw(sheet, state, { space }) {
    const { color, quadPoints, rect } = state
    const corners = userQuads(quadPoints, space).map((quad) => [
      quad.upperLeft,
      quad.upperRight,
      quad.lowerRight,
      quad.lowerLeft,
    ])
    const box = space.toUserRect(rect)
    if (isRegionOfRect(state)) sheet.inside('', () => drawRegions(sheet, color, [cornersOf(outset(box, -0.5))]))
    else drawRegions(sheet, color, corners)
  },
})

/** Draws the outline of the region, which stays readable. */
function drawRegions(sheet: Sheet, color: Color, corners: readonly (readonly Point[])[]): void {
  sheet.add(strokeColor(color), '1 w')
  for (const points of corners) {
    sheet.lines(points)
    sheet.add('s')
    sheet.cover(points, 0.75)
  }
}
