// Regions whose content is to be removed (ISO 32000-2, table 195).
import { black, colorOf } from '../../objects/colors.js'
import { booleanOf, entry } from '../../objects/values.js'
import type { ReadAnnotation } from './annotation-source.js'
import { colourOf } from './families.js'
import { ownQuadsOf } from './quads.js'
import { alignOf, fontResources, textLookOf } from './text-look.js'

export const readRedact: ReadAnnotation = (source, common) => {
  const { object, reading } = source
  const look = textLookOf(entry(object, 'DA'), fontResources(object, reading.form))
  return {
    subtype: 'redact',
    ...common,
    ...colourOf(source),
    quadPoints: ownQuadsOf(source) ?? null,
    interiorColor: colorOf(entry(object, 'IC')) ?? null,
    overlayText: reading.text(object, 'OverlayText') ?? null,
    repeat: booleanOf(entry(object, 'Repeat')) ?? false,
    fontFamily: look.fontFamily ?? 'helvetica',
    fontSize: look.fontSize ?? 0,
    fontColor: look.fillColor ?? black,
    textAlign: alignOf(entry(object, 'Q')) ?? 'left',
  }
}
