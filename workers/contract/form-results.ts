// Members that the items of several form ops share.
import { Type } from 'typebox'
import { WidgetAnnotation } from './annotations/widget.js'
import { FormField } from './form-field.js'
import { FormFieldRef } from './form-field-ref.js'
import { FormMeta } from './mutation-meta.js'

/**
 * Fields that are calculated by a script which is none of the standard forms (a sum, product, mean, least or greatest of
 * named fields): they may need a new value that the server cannot compute. Absent if there are none.
 */
export const calculations = Type.Optional(Type.Object({ left: Type.Array(FormFieldRef) }))

/** A field after it was changed, with all its widgets. */
export const changedField = { field: FormField, widgets: Type.Array(WidgetAnnotation), meta: FormMeta }

/** Present if the change altered the order in which fields are calculated. */
export const calculationOrder = Type.Optional(Type.Array(FormFieldRef))

/** A field after it was changed, and the order of calculation if it changed. */
export const updatedField = {
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  calculationOrder,
  meta: FormMeta,
}
