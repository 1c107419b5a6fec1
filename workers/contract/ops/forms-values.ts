// What may be put into a form field, and what comes of it: the ops that fill a form.
import { type Static, Type } from 'typebox'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { FormFieldRef } from '../form-field-ref.js'
import { Nullable } from '../nullable.js'
import { FormMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

/** Text and combo boxes: `value`, null clears; radio groups: the export value, null = all off. */
export const FormFieldValue = Type.Union([
  Type.Object({ value: Nullable(Type.String()) }, strict),
  Type.Object({ checked: Type.Boolean() }, strict),
  Type.Object({ selectedValues: Type.Array(Type.String()) }, strict),
])
export type FormFieldValue = Static<typeof FormFieldValue>

/**
 * Fields that are calculated by a script which is none of the standard forms (a sum, product, mean, least or greatest of
 * named fields): they may need a new value, and nobody here can tell which. Left out where there are none.
 */
const calculations = Type.Optional(Type.Object({ left: Type.Array(FormFieldRef) }))

export const FormValueResult = Type.Object({
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  calculations,
  meta: FormMeta,
})
export type FormValueResult = Static<typeof FormValueResult>

export const FormResetResult = Type.Object({
  fields: Type.Array(FormField),
  widgets: Type.Array(WidgetAnnotation),
  calculations,
  meta: FormMeta,
})
export type FormResetResult = Static<typeof FormResetResult>

/** Names of what an undo left alone, because it was changed since. */
export const skippedMember = { skipped: Type.Optional(Type.Array(Type.String())) }

export const FormsSetValue = {
  op: Type.Object(
    {
      type: Type.Literal('forms.setValue'),
      field: FormFieldRef,
      value: FormFieldValue,
      expect: Type.Optional(FormFieldValue),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.setValue'), ...FormValueResult.properties }),
} as const satisfies OpShape

export const FormsReset = {
  op: Type.Object({ type: Type.Literal('forms.reset'), fields: Type.Optional(Type.Array(FormFieldRef)) }, strict),
  item: Type.Object({ type: Type.Literal('forms.reset'), ...FormResetResult.properties, ...skippedMember }),
} as const satisfies OpShape
