// Where a form field shows: frame, quarter turn and look of its widget (ISO 32000-2, 12.5.6.19).

import type { AnnotationCommon } from '../../contract/annotations/common.js'
import type { WidgetAnnotation } from '../../contract/annotations/widget.js'
import { quarterTurnOf } from '../../document/page-boxes.js'
import { fieldFamilyOf } from '../../fields/field-kind.js'
import { fieldOfWidget, fieldRefOf } from '../../fields/field-names.js'
import { inheritedFrom, lineageOf } from '../../fields/inheritance.js'
import { colorOf } from '../../objects/colors.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { entry, numberOf } from '../../objects/values.js'
import type { AnnotationSource } from './annotation-source.js'
import { borderOf } from './families.js'
import { alignOf, fontResources, textLookOf } from './text-look.js'
import { clockwise, withoutTurn } from './turns.js'

export function readWidget(source: AnnotationSource, common: AnnotationCommon): WidgetAnnotation {
  const { object, reading, space } = source
  const characteristics = entry(object, 'MK')
  const turn = numberOf(entry(characteristics, 'R'))
  const rotation = turn === undefined ? null : quarterTurnOf(clockwise(turn))
  const rect = rectangleOf(entry(object, 'Rect')) ?? emptyRect
  const { strokeWidth, borderStyle } = borderOf(source)
  const field = fieldOfWidget(object)
  const fieldFamily = field === undefined ? 'unknown' : fieldFamilyOf(lineageOf(field))
  return {
    subtype: 'widget',
    ...common,
    box: space.toPageBox(withoutTurn(rect, rotation ?? 0)),
    rotation,
    color: colorOf(entry(characteristics, 'BC')) ?? null,
    interiorColor: colorOf(entry(characteristics, 'BG')) ?? null,
    strokeWidth,
    borderStyle,
    ...letteringOf(source),
    caption: fieldFamily === 'pushbutton' ? (reading.text(characteristics, 'CA') ?? null) : null,
    field: fieldRefOf(reading.document, field),
    fieldFamily,
  }
}

type Lettering = Pick<WidgetAnnotation, 'fontFamily' | 'fontSize' | 'fontColor' | 'textAlign'>

function letteringOf({ object, reading }: AnnotationSource): Lettering {
  const { form } = reading
  const own = inheritedFrom(object, 'DA')
  const look = textLookOf(own ?? entry(form, 'DA'), fontResources(object, form))
  return {
    fontFamily: look.fontFamily ?? null,
    fontSize: look.fontSize ?? null,
    fontColor: look.fillColor ?? null,
    textAlign: alignOf(inheritedFrom(object, 'Q') ?? entry(form, 'Q')) ?? 'left',
  }
}
