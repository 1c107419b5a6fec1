// Annotations as a write gives them: whole as a draft, in part as a patch. Members that are left out of a patch stay, `null`
// clears; what no member is named by is ignored, and so is what only the server knows.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type WritableName, type WritableSubtype, writableNames, writableSubtypes, writtenMembers } from './writable.js'

const Members = Type.Record(Type.String(), Type.Unknown())
type Members = Static<typeof Members>

export type AnnotationDraft = Members & { readonly subtype: WritableName }
export type AnnotationPatch = Members

function draftOf(name: WritableName): TSchema {
  const { required }: WritableSubtype = writableSubtypes[name]
  const members: TProperties = { subtype: Type.Literal(name) }
  for (const [member, schema] of Object.entries(writtenMembers(name))) {
    members[member] = required.includes(member) ? schema : Type.Optional(schema)
  }
  return Type.Object(members)
}

/** A member that subtypes have in different forms may come in any; which one holds is decided where the subtype is known. */
function patchMembers(): TProperties {
  const forms = new Map<string, Map<string, TSchema>>()
  for (const name of writableNames) {
    for (const [member, schema] of Object.entries(writtenMembers(name))) {
      const known = forms.get(member) ?? new Map<string, TSchema>()
      forms.set(member, known.set(JSON.stringify(schema), schema))
    }
  }
  const members: TProperties = { subtype: Type.Optional(Type.Enum(writableNames)) }
  for (const [member, schemas] of forms) {
    const [first, ...others] = schemas.values()
    if (first !== undefined)
      members[member] = Type.Optional(others.length === 0 ? first : Type.Union([first, ...others]))
  }
  return members
}

export const AnnotationDraft = Type.Unsafe<AnnotationDraft>(Type.Union(writableNames.map(draftOf)))
export const AnnotationPatch = Type.Unsafe<AnnotationPatch>(Type.Object(patchMembers()))
