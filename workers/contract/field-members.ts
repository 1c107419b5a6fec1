// Written form of fields: complete as a draft, partial as a patch. Members of a family follow from its contract.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { type FieldContract, fieldContracts } from './field-family.js'
import { writtenFlag, writtenText } from './fields/members.js'
import { Nullable } from './nullable.js'
import { strict } from './strict.js'
import { WidgetPlacement } from './widget-look.js'

const name = Type.String({ minLength: 1 })
const clearable = Type.Optional(Nullable(Type.String()))
const flags = { readOnly: writtenFlag, required: writtenFlag, noExport: writtenFlag }

const draftMembers = {
  /** Full name; full stops separate the names of its ancestors. */
  name,
  ...flags,
  alternateName: writtenText,
  mappingName: writtenText,
  widgets: Type.Optional(Type.Array(WidgetPlacement)),
}

export type DraftContract = Extract<FieldContract, { readonly draft: TProperties }>
export type DraftFamily = DraftContract['family']

const draftContracts = fieldContracts.filter((contract): contract is DraftContract => contract.draft !== null)

type DraftOf<Contract> = Contract extends {
  readonly family: infer Family
  readonly draft: infer Members extends TProperties
}
  ? { family: Family } & Static<TObject<typeof draftMembers & Members>>
  : never
export type FieldDraft = DraftOf<DraftContract>

export const FieldDraft = Type.Unsafe<FieldDraft>(
  Type.Union(
    draftContracts.map(({ family, draft }) =>
      Type.Object({ family: Type.Literal(family), ...draftMembers, ...draft }, strict),
    ),
  ),
)

/** Members that a patch of any field may contain. */
const patchMembers = {
  name: Type.Optional(name),
  ...flags,
  alternateName: clearable,
  mappingName: clearable,
}

/** Names of the members that patches of all families have. */
export const everyMember: readonly string[] = Object.keys(patchMembers)

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type PatchProperties = AllOf<FieldContract['patch']> & typeof patchMembers

export type FieldPatch = Static<TObject<PatchProperties>> & { family?: DraftFamily }

/** Schema of a patch. `family`, if given, is the current one: the family of a field cannot be changed. */
export const FieldPatch = Type.Unsafe<FieldPatch>(
  Type.Object(
    {
      family: Type.Optional(Type.Enum(draftContracts.map(({ family }) => family))),
      ...patchMembers,
      ...Object.assign({}, ...fieldContracts.map(({ patch }) => patch)),
    },
    strict,
  ),
)
