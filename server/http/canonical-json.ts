// Canonical JSON: two values have the same text exactly if they are equal, regardless of member order.

/** Serialises JSON with members sorted by name. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // Entries are used so that a member may have any name.
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
