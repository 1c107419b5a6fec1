// Schema of the whole form of a document.
import { type Static, Type } from 'typebox'
import { WidgetAnnotation } from './annotations/widget.js'
import { FormField } from './form-field.js'
import { FormFieldRef } from './form-field-ref.js'
import { Nullable } from './nullable.js'
import { Words } from './words.js'

export const FormSnapshot = Type.Object({
  formKind: Words(['none', 'acroform', 'xfa']),
  needsAppearances: Type.Boolean(),
  fields: Type.Array(FormField),
  widgets: Type.Array(WidgetAnnotation),
  /** Fields in calculation order; null for an entry that is not a field. */
  calculationOrder: Type.Array(Nullable(FormFieldRef)),
})
export type FormSnapshot = Static<typeof FormSnapshot>
