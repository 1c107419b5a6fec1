// The work of a form family: how its fields are read, written and drawn. It is in `families`, in the file of the same
// name as the contract of the family in `workers/contract/fields`.
import type { PDFObject } from 'mupdf'
import type { FieldFamily } from '../contract/field-family.js'
import type { FieldPatch } from '../contract/field-members.js'
import type { FormFieldValue } from '../contract/field-value.js'
import type { FieldBase } from '../contract/fields/family-contract.js'
import type { FormField } from '../contract/form-field.js'
import type { Reading } from '../document/reading.js'
import type { HasFlag } from '../fields/field-kind.js'
import type { Lineage } from '../fields/inheritance.js'
import type { WidgetToDraw } from './drawing/widget-to-draw.js'
import type { FieldWidget } from './reading/toggles.js'
import type { FieldWrite } from './writing/write-entries.js'

export interface FieldSource {
  readonly reading: Reading
  readonly lineage: Lineage
  readonly widgets: readonly FieldWidget[]
}

/**
 * The work of a family; a `field` that is passed must be of that family. Members are declared as methods, so that works
 * of all families fit into one table.
 */
export interface FamilyWork<Field extends FormField = FormField> {
  read(base: FieldBase, source: FieldSource, hasFlag: HasFlag): Field
  /** Returns the members of the field that a patch of the family may contain, beside those that all fields have. */
  patchOf?(field: Field): FieldPatch
  /** Throws `InvalidArg` for members that exclude each other. */
  refuseTogether?(object: PDFObject, members: FieldPatch): void
  /** True if the default value is a list of texts. */
  readonly hasListDefault?: true
  /** Work on values; absent if fields of the family have no value. */
  readonly value?: ValueWork<Field>
  /** Draws a widget; absent if this program cannot draw fields of the family. */
  draw?(drawing: WidgetToDraw, field: Field): void
  /**
   * True if appearances follow from the value alone; otherwise they follow from a state that is set along with the
   * value.
   */
  readonly showsByText?: true
}

export interface ValueWork<Field extends FormField = FormField> {
  /** Description of the accepted values, for messages. */
  readonly accepted: string
  current(field: Field): FormFieldValue
  /** Checks and writes the value. Returns false for a value of another type. Throws `InvalidArg`. */
  write(writing: FieldWrite<Field>, value: FormFieldValue): boolean
  /** Writes the default value, or removes the value (ISO 32000-2, 12.7.6.3). */
  reset(writing: FieldWrite<Field>): void
}

/**
 * Defines the work of a family: `export const work = familyWork(Signature, { read: (base) => ({ ...base, family:
 * 'signature' }), draw })`.
 */
export const familyWork = <Family extends FieldFamily>(
  _contract: { readonly family: Family },
  work: FamilyWork<Extract<FormField, { readonly family: Family }>>,
) => work
