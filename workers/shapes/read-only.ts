// Members that reads answer and writes cannot set: a write may hold them, so that a read can be sent back, and they are
// ignored. `readOnly` is the annotation of JSON Schema for this; generated clients leave such members out of their requests.
import { type TObject, type TOptional, type TUnknown, Type } from 'typebox'

export type ReadOnlyMember = TOptional<TUnknown>

export const ReadOnly: ReadOnlyMember = Type.Optional(Type.Unknown({ readOnly: true }))

export const isReadOnly = (schema: unknown): boolean => Object(schema).readOnly === true

/** The members of a read that are not among those a write sets. */
export function readOnlyMembersOf(read: TObject, written: object): Readonly<Record<string, ReadOnlyMember>> {
  const names = Object.keys(read.properties).filter((name) => !Object.hasOwn(written, name))
  return Object.fromEntries(names.map((name) => [name, ReadOnly]))
}

/** Names of the members of a schema that a write can set. */
export const writtenNames = ({ properties }: TObject): readonly string[] =>
  Object.keys(properties).filter((name) => !isReadOnly(properties[name]))
