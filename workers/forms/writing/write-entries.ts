// Writes the value entries of a field.
import type { PDFObject } from 'mupdf'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { isNamed } from '../../fields/field-names.js'
import { inherited } from '../../fields/inheritance.js'
import { entry, isMissing, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { putStored, type StoredValue, storedValue } from './stored-value.js'
import { type FormChange, touchField } from './touch-field.js'

export interface FieldWrite<Field extends FormField = FormField> {
  readonly model: FormChange
  readonly found: FoundField
  readonly field: Field
}

export function writeEntries({ model, found }: FieldWrite, entries: Readonly<Record<string, StoredValue>>): void {
  const object: PDFObject = touchField(model, found)
  const widgets = widgetsWithValue(found).map((widget) => model.change.touch(widget))
  for (const holder of [object, ...widgets]) {
    for (const [key, value] of Object.entries(entries)) putStored(model.change, holder, key, value)
  }
}

/** Returns widgets that have a value besides that of their field: some readers show that one. */
export const widgetsWithValue = ({ node, widgets }: Pick<FoundField, 'node' | 'widgets'>): readonly PDFObject[] =>
  widgets
    .map(({ object }) => object)
    .filter((widget) => !isNamed(widget) && objectNumberOf(widget) !== objectNumberOf(node.object))
    .filter((widget) => objectNumberOf(widget) !== undefined && !isMissing(entry(widget, 'V')))

/** True if an ancestor has a value, which a field without one would inherit. */
export const inheritsValue = ({ found }: FieldWrite): boolean =>
  inherited(found.node.lineage.slice(1), 'V') !== undefined

export function storedDefault({ model, found }: FieldWrite): StoredValue {
  const source = found.node.lineage.find((member) => !isMissing(entry(member, 'DV')))
  return source === undefined ? null : storedValue(model.reading, source, 'DV')
}

export function refusal(field: FormField, what: string, member?: string): JobRefusal {
  return new JobRefusal('InvalidArg', `The ${field.family} field "${field.name.slice(0, 200)}" ${what}`, {
    field: field.ref,
    ...(member !== undefined && { member }),
  })
}
