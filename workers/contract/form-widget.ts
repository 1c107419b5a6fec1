// Where a form field shows: one of its widgets, and the page that holds it.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { Nullable } from './nullable.js'
import { CountFromZero } from './numbers.js'
import { PageRef } from './page-ref.js'

const members = {
  /** Null for a widget on no page. */
  ref: Nullable(AnnotationRef),
  /** 0 = stored inline. */
  objectNumber: CountFromZero,
  page: Nullable(PageRef),
}

export const FormWidget = Type.Object(members)
export type FormWidget = Static<typeof FormWidget>

/** A widget of a checkbox or a radio group. */
export const ToggleWidget = Type.Object({
  ...members,
  /** The appearance state that shows it checked. */
  onState: Type.String(),
  exportValue: Type.String(),
  checked: Type.Boolean(),
})
export type ToggleWidget = Static<typeof ToggleWidget>
