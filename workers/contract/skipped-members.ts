// Schema of members that an undo skipped.
import { Type } from 'typebox'

/** Names of the members that an undo left unchanged, because they were changed since. Only in answers to an undo. */
export const skippedMembers = { skipped: Type.Optional(Type.Array(Type.String())) }
