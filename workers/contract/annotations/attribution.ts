// Schema of the author of an annotation and its dates: returned by every read, and accepted from the API token only.
import { type Static, Type } from 'typebox'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'

/** Id of the person, limited as in the claims of tokens. */
const id = Type.Optional(Nullable(Type.String({ maxLength: 256 })))
const when = Type.Optional(Nullable(IsoDate))

export const attributionMembers = {
  author: Type.Optional(Nullable(Type.String())),
  userId: id,
  createdBy: id,
  modifiedBy: id,
  createdAt: when,
  modifiedAt: when,
}
const Attribution = Type.Object(attributionMembers)
export type Attribution = Static<typeof Attribution>
