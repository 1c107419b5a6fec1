// Members that the items of several form ops share.
import { Type } from 'typebox'
import { WidgetAnnotation } from './annotations/widget.js'
import { FormField } from './form-field.js'
import { FormFieldRef } from './form-field-ref.js'
import { FormMeta } from './mutation-meta.js'

/**
 * Calculated fields with a script that is none of the standard forms (sum, product, average, minimum or maximum of
 * named fields). They may need a new value that the server cannot compute. Absent if there are none.
 */
export const calculations = Type.Optional(Type.Object({ left: Type.Array(FormFieldRef) }))

/** Changed field with all its widgets. */
export const changedField = { field: FormField, widgets: Type.Array(WidgetAnnotation), meta: FormMeta }

/** Calculation order; present if the change altered it. */
export const calculationOrder = Type.Optional(Type.Array(FormFieldRef))

/** Changed field, and the calculation order if it changed. */
export const updatedField = {
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  calculationOrder,
  meta: FormMeta,
}
