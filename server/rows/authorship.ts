// Authorship of an annotation, widget or field, by its object number in a layer. Authority depends on it, so it is
// stored here and never read from the file. Object numbers are never reused, so the row stays valid after deletion and
// undo.
import { type Static, Type } from 'typebox'

const Text = Type.Union([Type.String(), Type.Null()])

export const AuthorshipRow = Type.Object({
  userId: Text,
  createdBy: Text,
  modifiedBy: Text,
  groupId: Text,
  importedBy: Text,
  /** Milliseconds since 1970; null = only the file states it. */
  createdAt: Type.Union([Type.Integer(), Type.Null()]),
  modifiedAt: Type.Union([Type.Integer(), Type.Null()]),
  /** Members of form fields only. */
  filledBy: Text,
  filledByName: Text,
  filledAt: Type.Union([Type.Integer(), Type.Null()]),
})
export type AuthorshipRow = Static<typeof AuthorshipRow>
