// JSON that two values have in common exactly when they are the same, whatever order their members came in.

/** JSON whose members stand in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // Entries, so that a member of any name is one.
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
