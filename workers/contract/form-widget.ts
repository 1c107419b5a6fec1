// Schema of a widget of a form field, with its page.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { Nullable } from './nullable.js'
import { CountFromZero } from './numbers.js'
import { PageRef } from './page-ref.js'

const members = {
  /** Reference of the widget; null for one that no page lists. */
  ref: Nullable(AnnotationRef),
  /** Object number; 0 = stored inline. */
  objectNumber: CountFromZero,
  page: Nullable(PageRef),
}

export const FormWidget = Type.Object(members)
export type FormWidget = Static<typeof FormWidget>

/** Widget of a checkbox or a radio group. */
export const ToggleWidget = Type.Object({
  ...members,
  /** Appearance state in which it is checked. */
  onState: Type.String(),
  exportValue: Type.String(),
  checked: Type.Boolean(),
})
export type ToggleWidget = Static<typeof ToggleWidget>
