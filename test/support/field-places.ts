// Enumerates every place of a schema where a file may contain a text, valid or not: leaves of every type, list entries, keys
// and values of maps, and in place of lists and maps.
import { sampleMap, sampleOf } from '../../cli/reference/sample.js'
import type { SchemaView } from '../../core/declaration/schema-view.js'
import type { Json, JsonObject } from '../../core/value/tree.js'

export interface FieldPlace {
  /** `tools.mcp[].configs[].name`, `metadata.<key>`, `resources[](git_repository).url` */
  readonly path: string
  /** Schema of the place; for a key, that of the map. */
  readonly schema: SchemaView
  /** The smallest body with the text in this place. */
  withText(text: string): JsonObject
}

/** Maximum depth to which recursive schemas are followed. */
const depthMax = 8

/** `provider`: key of maps per provider. */
export function fieldPlacesIn(body: SchemaView, provider = 'qoder'): readonly FieldPlace[] {
  const members = Object.entries(body.properties ?? {}).flatMap(([name, member]) =>
    placesOf(member, { path: name, put: (value) => sampleMap(body, { [name]: value }), depth: 0, provider }),
  )
  return [...new Map(members.map((place) => [place.path, place])).values()]
}

interface Spot {
  readonly path: string
  readonly depth: number
  readonly provider: string
  put(value: Json): JsonObject
}

function placesOf(schema: SchemaView, { path, depth, provider, put: putAlone }: Spot): readonly FieldPlace[] {
  if (depth > depthMax) return []
  const others = schema['x-with'] ?? {}
  const put = (value: Json) => ({ ...others, ...putAlone(value) })
  const spot = { path, depth, provider, put }
  if (schema['x-json']) return placesOfJson(schema, spot)
  if (schema.anyOf)
    return schema.anyOf.flatMap((branch) => placesOf(branch, { ...spot, path: `${path}${branchName(branch)}` }))
  const here: FieldPlace = { path, schema, withText: put }
  if (schema.items) {
    const item = { ...spot, path: `${path}[]`, depth: depth + 1, put: (value: Json) => put([value]) }
    return [here, ...placesOf(schema.items, item)]
  }
  if (schema.type !== 'object') return [here]
  const given = (key: string, value: Json) => put(sampleMap(schema, { [key]: value }))
  const [free] = Object.values(schema.patternProperties ?? {})
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    placesOf(member, { ...spot, path: `${path}.${name}`, depth: depth + 1, put: (value) => given(name, value) }),
  )
  if (!free) return [here, ...named]
  const key: FieldPlace = { path: `${path}.<key>`, schema, withText: (text) => put({ [text]: sampleOf(free) }) }
  const known = schema['x-per-provider'] ? provider : 'KEY'
  const value = { ...spot, path: `${path}.<value>`, depth: depth + 1, put: (inner: Json) => put({ [known]: inner }) }
  return [here, ...named, key, ...placesOf(free, value)]
}

/** A field for any JSON accepts texts everywhere. */
function placesOfJson(schema: SchemaView, { path, put }: Spot): readonly FieldPlace[] {
  const forms: Readonly<Record<string, (text: string) => Json>> = {
    '': (text) => text,
    '[]': (text) => [text],
    '.<key>': (text) => ({ [text]: 1 }),
    '.<value>': (text) => ({ KEY: [{ inner: text }] }),
  }
  return Object.entries(forms).map(([form, value]) => ({
    path: `${path}${form}`,
    schema,
    withText: (text) => put(value(text)),
  }))
}

/** Returns what distinguishes a form of a union from the others. */
function branchName({ properties }: SchemaView): string {
  const word = Object.values(properties ?? {}).find((member) => member.const !== undefined)?.const
  if (word !== undefined) return `(${word})`
  return properties ? `(${Object.keys(properties).join()})` : ''
}
