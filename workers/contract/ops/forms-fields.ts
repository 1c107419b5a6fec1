// Making and changing the fields of a form.
import { type Static, Type } from 'typebox'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { FormFieldRef } from '../form-field-ref.js'
import { Nullable } from '../nullable.js'
import { CountFromOne } from '../numbers.js'
import { Words } from '../words.js'
import { WidgetPlacement } from './forms-look.js'
import { skippedMember } from './forms-values.js'
import { FormMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

const name = Type.String({ minLength: 1 })
const flag = Type.Optional(Type.Boolean())
const text = Type.Optional(Type.String())
const clearable = Type.Optional(Nullable(Type.String()))
const options = Type.Optional(Type.Array(Type.Object({ label: Type.String(), value: Type.String() })))

const common = {
  /** The full name; full stops part the names of the fields above it. */
  name,
  readOnly: flag,
  required: flag,
  noExport: flag,
  alternateName: text,
  mappingName: text,
  widgets: Type.Optional(Type.Array(WidgetPlacement)),
}
const textMembers = { multiline: flag, password: flag, comb: flag }
const radioMembers = { radiosInUnison: flag, noToggleToOff: flag }

export const FieldDraft = Type.Union([
  Type.Object(
    {
      family: Type.Literal('text'),
      ...common,
      defaultValue: text,
      maxLength: Type.Optional(CountFromOne),
      ...textMembers,
    },
    strict,
  ),
  Type.Object({ family: Type.Literal('checkbox'), ...common }, strict),
  Type.Object({ family: Type.Literal('radio'), ...common, ...radioMembers }, strict),
  Type.Object({ family: Type.Literal('combobox'), ...common, edit: flag, options, defaultValue: text }, strict),
  Type.Object(
    {
      family: Type.Literal('listbox'),
      ...common,
      multiSelect: flag,
      options,
      defaultValue: Type.Optional(Type.Array(Type.String())),
    },
    strict,
  ),
  Type.Object({ family: Type.Literal('signature'), ...common }, strict),
])
export type FieldDraft = Static<typeof FieldDraft>

/** `family`, where it is given, is the one the field has: a field cannot become another. */
export const FieldPatch = Type.Object(
  {
    family: Type.Optional(Words(['text', 'checkbox', 'radio', 'combobox', 'listbox', 'signature'])),
    name: Type.Optional(name),
    readOnly: flag,
    required: flag,
    noExport: flag,
    alternateName: clearable,
    mappingName: clearable,
    ...textMembers,
    ...radioMembers,
    maxLength: Type.Optional(Nullable(CountFromOne)),
    edit: flag,
    multiSelect: flag,
    options,
    defaultValue: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()])),
  },
  strict,
)
export type FieldPatch = Static<typeof FieldPatch>

const calculationOrder = Type.Optional(Type.Array(FormFieldRef))

export const FieldUpdateResult = Type.Object({
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  calculationOrder,
  meta: FormMeta,
})
export type FieldUpdateResult = Static<typeof FieldUpdateResult>

export const FieldDeleteResult = Type.Object({ calculationOrder, meta: FormMeta })
export type FieldDeleteResult = Static<typeof FieldDeleteResult>

export const FormsCreate = {
  op: Type.Object(
    {
      type: Type.Literal('forms.create'),
      draft: FieldDraft,
      objectNumber: Type.Optional(CountFromOne),
      widgetObjectNumbers: Type.Optional(Type.Array(CountFromOne)),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.create'), ...FieldUpdateResult.properties }),
} as const satisfies OpShape

export const FormsUpdate = {
  op: Type.Object(
    {
      type: Type.Literal('forms.update'),
      field: FormFieldRef,
      patch: FieldPatch,
      expect: Type.Optional(FieldPatch),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.update'), ...FieldUpdateResult.properties, ...skippedMember }),
} as const satisfies OpShape

export const FormsDelete = {
  op: Type.Object(
    { type: Type.Literal('forms.delete'), field: FormFieldRef, expect: Type.Optional(FieldPatch) },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.delete'), ...FieldDeleteResult.properties }),
} as const satisfies OpShape

export const displays = ['visible', 'hidden', 'noPrint', 'noView'] as const
const Display = Words(displays)
export type Display = Static<typeof Display>

export const FormsSetDisplay = {
  op: Type.Object(
    {
      type: Type.Literal('forms.setDisplay'),
      field: FormFieldRef,
      display: Display,
      expect: Type.Optional(Display),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.setDisplay'), ...FieldUpdateResult.properties }),
} as const satisfies OpShape

/** What the field shows instead of its value, until the value is set again. */
export const FormsSetAppearanceText = {
  op: Type.Object({ type: Type.Literal('forms.setAppearanceText'), field: FormFieldRef, text: Type.String() }, strict),
  item: Type.Object({ type: Type.Literal('forms.setAppearanceText'), ...FieldUpdateResult.properties }),
} as const satisfies OpShape

/** The first page of a PDF, as the drawing of a signature field. */
export const FormsSetSignatureAppearance = {
  op: Type.Object(
    {
      type: Type.Literal('forms.setSignatureAppearance'),
      field: FormFieldRef,
      appearance: Type.Object({ pdf: Type.String({ minLength: 1 }) }, strict),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.setSignatureAppearance'), ...FieldUpdateResult.properties }),
} as const satisfies OpShape

/** Only an undo answers it. */
export const FormsRestore = Type.Object({
  type: Type.Literal('forms.restore'),
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  meta: FormMeta,
})
export type FormsRestore = Static<typeof FormsRestore>
