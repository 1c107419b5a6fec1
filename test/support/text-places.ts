// Enumerates every position of a schema where a text may be, except constants and enumerations.

export interface TextPlace {
  /** JSON pointer of the position. */
  readonly pointer: string
  /** Returns the smallest value with the text in this position, otherwise not necessarily valid. */
  withText(text: string): unknown
}

/** Maximum depth to which recursive schemas are followed. */
const depthMax = 8

export function textPlacesIn(schema: unknown, depth = 0): readonly TextPlace[] {
  const { type, properties, patternProperties, items, anyOf, ...rest }: Schema = Object(schema)
  if (depth > depthMax || 'const' in rest || 'enum' in rest) return []
  if (Array.isArray(anyOf)) return unique(anyOf.flatMap((one) => textPlacesIn(one, depth)))
  if (type === 'string') return [{ pointer: '', withText: (text) => text }]
  if (type === 'array') {
    const item: unknown = Array.isArray(items) ? items[0] : items
    return textPlacesIn(item, depth + 1).map((place) => ({
      pointer: `/0${place.pointer}`,
      withText: (text) => [place.withText(text)],
    }))
  }
  const members = [
    ...Object.entries(Object(properties)),
    ...Object.values(Object(patternProperties)).map((member) => ['key', member] as const),
  ]
  return members.flatMap(([name, member]) =>
    textPlacesIn(member, depth + 1).map((place) => ({
      pointer: `/${name}${place.pointer}`,
      withText: (text) => ({ [name]: place.withText(text) }),
    })),
  )
}

const unique = (places: readonly TextPlace[]): readonly TextPlace[] => [
  ...new Map(places.map((place) => [place.pointer, place])).values(),
]

type Schema = Readonly<Partial<Record<string, unknown>>>
