// Contract of a form family: everything that is known about it without a PDF. The union of fields, drafts, patches
// and the check of members of other families are derived from it. How its fields are read, written and drawn is in
// the file of the same name in `workers/forms/families`.
import { type Static, type TLiteral, type TObject, type TProperties, Type } from 'typebox'
import { FieldActions } from '../field-actions.js'
import { FormFieldRef } from '../form-field-ref.js'
import { FormWidget } from '../form-widget.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { ValueEntry } from '../value-entry.js'
import { Words } from '../words.js'

const text = Nullable(Type.String())

/** Members that all fields have. */
export const fieldBase = {
  ref: FormFieldRef,
  /** Full name: the names of its ancestors and its own, joined by full stops. */
  name: Type.String(),
  /** Source of the field. `recovered`: the form does not list it, only a widget on a page refers to it. */
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
const FieldBase = Type.Object(fieldBase)
export type FieldBase = Static<typeof FieldBase>

/** Flag of `/Ff` that distinguishes families of the same type. */
export type FamilyFlag = 'pushbutton' | 'radio' | 'combo'

export interface FamilyContract {
  readonly family: string
  /** Value of `/FT`; null = the family stands for fields of any other type. */
  readonly type: string | null
  /**
   * Flag that fields of the family have; undefined = the family has all fields of the type without a flag of another
   * family.
   */
  readonly flag?: FamilyFlag
  /** Schema of the field as reads return it. */
  readonly schema: TObject
  /** Members of a new field, beside those that all drafts have; null = fields of the family cannot be created. */
  readonly draft: TProperties | null
  /** Members of a patch, beside those that all patches have. */
  readonly patch: TProperties
}

type Schema<Family extends string, Members extends TProperties> = TObject<
  Omit<typeof fieldBase, keyof Members> & { family: TLiteral<Family> } & Members
>

/**
 *     export const Radio = familyContract({
 *       family: 'radio',
 *       type: 'Btn',
 *       flag: 'radio',
 *       members: { value: Type.String(), radiosInUnison: Type.Boolean() },
 *       draft: { radiosInUnison: Type.Optional(Type.Boolean()) },
 *       patch: { radiosInUnison: Type.Optional(Type.Boolean()) },
 *     })
 */
export function familyContract<
  const Family extends string,
  const FieldType extends string | null,
  Members extends TProperties,
  Draft extends TProperties | null,
  Patch extends TProperties,
>({
  members,
  ...entry
}: {
  readonly family: Family
  readonly type: FieldType
  readonly flag?: FamilyFlag
  readonly members: Members
  readonly draft: Draft
  readonly patch: Patch
}) {
  const properties = { ...fieldBase, family: Type.Literal(entry.family), ...members }
  const schema: Schema<Family, Members> = Type.Object(properties)
  return { ...entry, schema }
}
