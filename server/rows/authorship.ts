// Whose an annotation, a widget or a field is, by its object number in a layer. Kept here and never believed from a file:
// authority is decided by it. Numbers are never used twice, so it outlives a deletion and is right again after an undo.
import { type Static, Type } from 'typebox'

const Text = Type.Union([Type.String(), Type.Null()])

export const AuthorshipRow = Type.Object({
  userId: Text,
  createdBy: Text,
  modifiedBy: Text,
  groupId: Text,
  importedBy: Text,
  /** Milliseconds since 1970; null = the file knows. */
  createdAt: Type.Union([Type.Integer(), Type.Null()]),
  modifiedAt: Type.Union([Type.Integer(), Type.Null()]),
  /** Of fields. */
  filledBy: Text,
  filledByName: Text,
  filledAt: Type.Union([Type.Integer(), Type.Null()]),
})
export type AuthorshipRow = Static<typeof AuthorshipRow>
