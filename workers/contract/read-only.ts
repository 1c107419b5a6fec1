// Members that reads return and writes ignore: a write may contain them, so that a read can be sent back. JSON Schema
// marks them `readOnly`; generated clients leave them out of requests.
import { type TObject, type TOptional, type TUnknown, Type } from 'typebox'

export type ReadOnlyMember = TOptional<TUnknown>

export const ReadOnly: ReadOnlyMember = Type.Optional(Type.Unknown({ readOnly: true }))

export const isReadOnly = (schema: unknown): boolean => Object(schema).readOnly === true

/** Returns the members of a read that are not among those a write sets. */
export function readOnlyMembersOf(read: TObject, written: object): Readonly<Record<string, ReadOnlyMember>> {
  const names = Object.keys(read.properties).filter((name) => !Object.hasOwn(written, name))
  return Object.fromEntries(names.map((name) => [name, ReadOnly]))
}

/** Returns the names of the members that a write can set. */
export const writtenNames = ({ properties }: TObject): readonly string[] =>
  Object.keys(properties).filter((name) => !isReadOnly(properties[name]))
