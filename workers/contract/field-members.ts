// What a write may say of a form field: everything of a new one, or the members that change.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { CountFromOne } from './numbers.js'
import { strict } from './strict.js'
import { WidgetPlacement } from './widget-look.js'
import { Words } from './words.js'

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
