// Copies of objects that have members out of sight, as TypeBox keeps the refinement of a schema.

/** Returns the schema with these members. A spread would lose its refinement. */
export const withMembers = <Schema extends object, const Members extends object>(
  schema: Schema,
  members: Members,
): Omit<Schema, keyof Members> & Members =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(members) },
  ) as Omit<Schema, keyof Members> & Members // Every member is one of the two.
