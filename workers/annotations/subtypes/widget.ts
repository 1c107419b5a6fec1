// Frame, rotation and look of the widget of a form field (ISO 32000-2, 12.5.6.19). Form ops write and draw widgets.
import type { AnnotationCommon } from '../../contract/annotations/common.js'
import { Widget, type WidgetAnnotation } from '../../contract/annotations/widget.js'
import { quarterTurnOf } from '../../document/page-boxes.js'
import { fieldFamilyOf } from '../../fields/field-kind.js'
import { fieldOfWidget, fieldRefOf } from '../../fields/field-names.js'
import { inheritedFrom, lineageOf } from '../../fields/inheritance.js'
import { colorOf } from '../../objects/colors.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { entry, numberOf } from '../../objects/values.js'
import type { AnnotationSource } from '../reading/annotation-source.js'
import { borderOf } from '../reading/shared-members.js'
import { alignOf, fontResources, textLookOf } from '../reading/text-look.js'
import { clockwise, withoutTurn } from '../reading/turns.js'
import { readOnlyWork } from '../subtype-work.js'

export const work = readOnlyWork(Widget, { read: readWidget })

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
    ...textMembersOf(source),
    caption: fieldFamily === 'pushbutton' ? (reading.text(characteristics, 'CA') ?? null) : null,
    field: fieldRefOf(reading.document, field),
    fieldFamily,
  }
}

type TextMembers = Pick<WidgetAnnotation, 'fontFamily' | 'fontSize' | 'fontColor' | 'textAlign'>

function textMembersOf({ object, reading }: AnnotationSource): TextMembers {
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
