// Text that is equal for equal values, whatever the order of their members.
export const canonical = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'undefined'

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
