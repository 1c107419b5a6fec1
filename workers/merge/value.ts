// Values of objects as a merge compares them. Numbers, names and strings stay the text that the engine prints: it is equal
// for equal values.

export interface Reference {
  readonly number: number
  readonly generation: number
}

export type Dictionary = ReadonlyMap<string, Value>

/** Value: a string is the printed form of a number, name, string or keyword. */
export type Value = string | Reference | Dictionary | readonly Value[]

export const isDictionary = (value: Value | undefined): value is Dictionary => value instanceof Map
export const isArray = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)
export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && !isDictionary(value) && !isArray(value)

export const numberIn = (value: Value | undefined): number | undefined =>
  isReference(value) ? value.number : undefined

/** Returns the items of an array; a missing one has none. */
export const itemsOf = (value: Value | undefined): readonly Value[] => (isArray(value) ? value : [])

const null_ = 'null'

/** A missing entry equals null (ISO 32000-2, 7.3.7). */
export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one === other || printed(one ?? null_) === printed(other ?? null_)
}

/** Prints a value, with dictionary entries sorted by key, because their order has no meaning. */
export function printed(value: Value): string {
  if (typeof value === 'string') return value
  if (isReference(value)) return `${value.number} ${value.generation} R`
  if (isArray(value)) return `[${joined(value.map(printed))}]`
  const entries = [...value].filter(([, entry]) => entry !== null_)
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `<<${sorted.map(([key, entry]) => joined([key, printed(entry)])).join('')}>>`
}

/** Separates tokens only where they would run together. */
function joined(tokens: readonly string[]): string {
  let text = ''
  for (const token of tokens) text += isApart(text.at(-1), token.at(0)) ? token : ` ${token}`
  return text
}

const delimiters = '()<>[]{}/%'
const isApart = (before: string | undefined, after: string | undefined): boolean =>
  before === undefined || after === undefined || delimiters.includes(after) || '()<>[]{}'.includes(before)

/** Returns the value with every reference replaced. */
export function withReferences(value: Value, replace: (reference: Reference) => Reference): Value {
  if (typeof value === 'string') return value
  if (isReference(value)) return replace(value)
  if (isArray(value)) return value.map((item) => withReferences(item, replace))
  return new Map([...value].map(([key, entry]) => [key, withReferences(entry, replace)]))
}
