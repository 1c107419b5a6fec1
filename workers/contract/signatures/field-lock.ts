// Fields that a signature locks (ISO 32000-2, tables 236 and 259).
import { type Static, Type } from 'typebox'

/** Permission of a certification: 1 = no changes, 2 = filling forms and signing, 3 = annotations too. */
export const DocMdpPermission = Type.Enum([1, 2, 3])
export type DocMdpPermission = Static<typeof DocMdpPermission>

export const FieldLock = Type.Object({
  /** Selection of fields. `include`: the named fields and those below them; `exclude`: every other field. */
  action: Type.Enum(['all', 'include', 'exclude']),
  /** Full names of fields; empty for `all`. */
  fields: Type.Array(Type.String()),
  /** Permission that applies to the whole document once the field is signed. */
  permission: Type.Optional(DocMdpPermission),
})
export type FieldLock = Static<typeof FieldLock>

/** True if the lock includes the field of this full name: it, or an ancestor of it, is named. */
export function isLockedBy({ action, fields }: FieldLock, fieldName: string): boolean {
  if (action === 'all') return true
  const isNamed = fields.some((name) => fieldName === name || fieldName.startsWith(`${name}.`))
  return action === 'include' ? isNamed : !isNamed
}
