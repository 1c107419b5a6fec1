// Written form of annotations: complete as a draft, partial as a patch. A patch leaves omitted members unchanged, and
// `null` clears a member. Unknown members are refused, members that only the server sets are ignored. Whether a member
// belongs to the subtype is checked later, with the annotation at hand: a patch may omit the subtype.
import { type TProperties, type TSchema, Type } from 'typebox'
import { ReadOnly } from '../read-only.js'
import { strict } from '../strict.js'
import { type Attribution, attributionMembers } from './attribution.js'
import { readOnlyMembers, type WritableName, writableNames, writtenMembers } from './writable.js'

export interface AnnotationPatch {
  readonly [member: string]: unknown
}

export interface AnnotationDraft extends AnnotationPatch, Attribution {
  readonly subtype: WritableName
}

/** Returns the members of all subtypes; a member with several forms accepts any of them. */
function membersOfAll(): TProperties {
  const forms = new Map<string, Map<string, TSchema>>()
  for (const name of writableNames) {
    for (const [member, schema] of Object.entries(writtenMembers(name))) {
      const known = forms.get(member) ?? new Map<string, TSchema>()
      forms.set(member, known.set(JSON.stringify(schema), schema))
    }
  }
  return Object.fromEntries(
    [...forms].map(([member, schemas]) => [member, Type.Optional(anyOf([...schemas.values()]))]),
  )
}

const anyOf = (schemas: readonly TSchema[]): TSchema =>
  schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : Type.Union([...schemas])

const members = membersOfAll()
const Subtype = Type.Enum(writableNames)

const ignored: TProperties = Object.fromEntries([...readOnlyMembers].map((member) => [member, ReadOnly]))

export const draftMembers: TProperties = { ...ignored, subtype: Subtype, ...members, ...attributionMembers }
export const patchMembers: TProperties = { ...ignored, subtype: Type.Optional(Subtype), ...members }

export const AnnotationDraft = Type.Unsafe<AnnotationDraft>(Type.Object(draftMembers, strict))
export const AnnotationPatch = Type.Unsafe<AnnotationPatch>(Type.Object(patchMembers, strict))
