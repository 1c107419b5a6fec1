// A form field: what all have, and what its family adds.
import { type Static, Type } from 'typebox'
import { FieldActions } from './field-actions.js'
import { FieldOption } from './field-option.js'
import { FormFieldRef } from './form-field-ref.js'
import { FormWidget, ToggleWidget } from './form-widget.js'
import { IsoDate } from './iso-date.js'
import { Nullable } from './nullable.js'
import { CountFromOne } from './numbers.js'
import { ValueEntry } from './value-entry.js'
import { Words } from './words.js'

const text = Nullable(Type.String())

const base = {
  ref: FormFieldRef,
  /** The full name: the names of its ancestors and its own, joined by full stops. */
  name: Type.String(),
  /** `recovered`: no form lists it, only a widget on a page tells of it. */
  origin: Words(['acroform', 'recovered']),
  readOnly: Type.Boolean(),
  required: Type.Boolean(),
  noExport: Type.Boolean(),
  alternateName: text,
  mappingName: text,
  valueEntry: ValueEntry,
  defaultValueEntry: ValueEntry,
  actions: Type.Optional(FieldActions),
  createdBy: text,
  createdAt: Nullable(IsoDate),
  filledBy: text,
  filledByName: text,
  filledAt: Nullable(IsoDate),
  importedBy: text,
  widgets: Type.Array(FormWidget),
}
const FieldBase = Type.Object(base)
export type FieldBase = Static<typeof FieldBase>

const toggles = { widgets: Type.Array(ToggleWidget) }
const options = { options: Type.Array(FieldOption) }

export const TextField = Type.Object({
  ...base,
  family: Type.Literal('text'),
  value: Type.String(),
  defaultValue: Type.String(),
  maxLength: Nullable(CountFromOne),
  multiline: Type.Boolean(),
  password: Type.Boolean(),
  comb: Type.Boolean(),
})
export const CheckboxField = Type.Object({
  ...base,
  family: Type.Literal('checkbox'),
  checked: Type.Boolean(),
  exportValue: Type.String(),
  ...toggles,
})
export const RadioField = Type.Object({
  ...base,
  family: Type.Literal('radio'),
  value: Type.String(),
  radiosInUnison: Type.Boolean(),
  noToggleToOff: Type.Boolean(),
  ...toggles,
})
export const ComboboxField = Type.Object({
  ...base,
  family: Type.Literal('combobox'),
  value: Type.String(),
  defaultValue: Type.String(),
  edit: Type.Boolean(),
  ...options,
})
export const ListboxField = Type.Object({
  ...base,
  family: Type.Literal('listbox'),
  selectedValues: Type.Array(Type.String()),
  defaultValue: Type.Array(Type.String()),
  multiSelect: Type.Boolean(),
  ...options,
})
export const PushbuttonField = Type.Object({ ...base, family: Type.Literal('pushbutton') })
export const SignatureField = Type.Object({ ...base, family: Type.Literal('signature') })
export const UnknownField = Type.Object({ ...base, family: Type.Literal('unknown'), rawValue: Type.String() })

export const FormField = Type.Union([
  TextField,
  CheckboxField,
  RadioField,
  ComboboxField,
  ListboxField,
  PushbuttonField,
  SignatureField,
  UnknownField,
])
export type FormField = Static<typeof FormField>
