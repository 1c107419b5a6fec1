// Every place of a schema where a text may stand, constants and closed lists left out.

export interface TextPlace {
  /** JSON pointer. */
  readonly pointer: string
  /** The least value that has the text there. It need not be valid otherwise. */
  withText(text: string): unknown
}

/** Schemas that name themselves are followed so deep. */
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
