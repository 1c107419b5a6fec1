// Contract of a widget, which shows a form field on a page.
import { type Static, Type } from 'typebox'
import { BorderStyle } from '../border-style.js'
import { Color } from '../color.js'
import { FieldFamily } from '../field-family.js'
import { FormFieldRef } from '../form-field-ref.js'
import { Nullable } from '../nullable.js'
import { Length } from '../numbers.js'
import { PageBox } from '../page-box.js'
import { QuarterTurn } from '../quarter-turn.js'
import { StandardFont } from '../standard-font.js'
import { TextAlign } from '../text-align.js'
import { subtypeContract } from './subtype-contract.js'

export const Widget = subtypeContract({
  subtype: 'widget',
  name: 'Widget',
  members: {
    box: PageBox,
    rotation: Nullable(QuarterTurn),
    /** Colour of the border. */
    color: Nullable(Color),
    /** Colour of the background. */
    interiorColor: Nullable(Color),
    strokeWidth: Length,
    borderStyle: BorderStyle,
    fontFamily: Nullable(StandardFont),
    /** Font size in points; 0 = as large as fits. */
    fontSize: Nullable(Length),
    fontColor: Nullable(Color),
    textAlign: TextAlign,
    /** Caption, for push buttons only. */
    caption: Nullable(Type.String()),
    field: Nullable(FormFieldRef),
    fieldFamily: FieldFamily,
  },
  write: null,
})
export const WidgetAnnotation = Widget.schema
export type WidgetAnnotation = Static<typeof WidgetAnnotation>
