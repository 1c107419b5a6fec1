// Copies of objects that have members out of sight, as TypeBox keeps the refinement of a schema.

/** Returns the object with these members. A spread would lose what is out of sight. */
export const withMembers = <Whole extends object, const Members extends object>(
  whole: Whole,
  members: Members,
): Whole & Members =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(whole), ...Object.getOwnPropertyDescriptors(members) },
  ) as Whole & Members // It has the members of both.
