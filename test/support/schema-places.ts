// Every place of a schema that a value can stand in, keys of maps included.

/** The way to the place. A number is a position in a list; `isKey`: the last step is the key itself. */
export interface SchemaPlace {
  readonly path: readonly (string | number)[]
  readonly isKey: boolean
}

/** What stands where a map may have any key. */
export const anyKey = 'some'

/** Deeper unions repeat what is above them. */
const depthMax = 7

export function placesIn(schema: unknown): readonly SchemaPlace[] {
  return [...new Map(found(schema, [], 0).map((place) => [JSON.stringify(place), place])).values()]
}

function found(schema: unknown, path: SchemaPlace['path'], depth: number): readonly SchemaPlace[] {
  const { type, properties, patternProperties, items, anyOf }: Schema = Object(schema)
  if (depth > depthMax) return []
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => found(one, path, depth))
  if (type === 'array') return found(Array.isArray(items) ? items[0] : items, [...path, 0], depth + 1)
  if (type !== 'object') return [{ path, isKey: false }]
  const named = Object.entries(Object(properties)).flatMap(([name, member]) =>
    found(member, [...path, name], depth + 1),
  )
  const keyed = Object.values(Object(patternProperties)).flatMap((member) => [
    { path: [...path, anyKey], isKey: true },
    ...found(member, [...path, anyKey], depth + 1),
  ])
  return [...named, ...keyed]
}

/** The value with a leaf at the place; lists and maps that are missing are made, and what is in the way goes. */
export function planted(value: unknown, { path, isKey }: SchemaPlace, text: string): unknown {
  const [step, ...rest] = path
  if (step === undefined) return text
  const below = { path: rest, isKey }
  if (typeof step === 'number') {
    const list: readonly unknown[] = Array.isArray(value) ? value : []
    return [planted(list[step], below, text), ...list.slice(1)]
  }
  const map = isMap(value) ? value : {}
  if (isKey && rest.length === 0) return { ...map, [text]: map[anyKey] ?? Object.values(map)[0] ?? 'x' }
  return { ...map, [step]: planted(map[step], below, text) }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Schema = Readonly<Partial<Record<string, unknown>>>
