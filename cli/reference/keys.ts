// Lists every key of a schema for the documentation. The same schema checks the file.
import type { SchemaView } from '../../core/declaration/schema-view.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { formsOf, sampleMap, valuesOf } from './sample.js'
import { limitsOf, typeText } from './type-text.js'

export interface Key {
  /**
   * Path of the key, `tools.mcp[].configs[].name` or `resources[git_repository].url`; `[]` and `[form]` are items of a
   * list.
   */
  readonly path: string
  /** Segments of the path as people write them: `['resources', 'git_repository', 'url']`. */
  readonly segments: readonly string[]
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  /** Longer description, where a sentence is not enough. */
  readonly details?: string
  readonly default?: Json
  readonly limits: readonly string[]
  readonly examples: readonly Json[]
  /** Other spellings of the key. */
  readonly aliases: readonly string[]
  readonly members: readonly Key[]
  /** Input for the rules of providers: the smallest declaration without the key, and declarations with it. */
  readonly probe: Probe
}

export interface Probe {
  readonly without: JsonObject
  readonly values: readonly Json[]
  with(value: Json): JsonObject
  /** True if the values are forms that have remarks of their own. */
  readonly hasForms: boolean
}

/** Returns the smallest declaration around a value at the current position. */
type PlaceValue = (value: Json) => JsonObject

interface Spot {
  readonly path: string
  readonly segments: readonly string[]
  readonly place: PlaceValue
}

/** Returns the keys of a map, each with those below it. */
export function keysOf(schema: SchemaView): readonly Key[] {
  return membersOf(schema, {
    path: '',
    segments: [],
    place: (value) => sampleMap(schema, isObject(value) ? value : {}),
  })
}

function membersOf(schema: SchemaView, spot: Spot): readonly Key[] {
  const aliases = Object.entries(schema['x-aliases'] ?? {})
  return Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const inner: Spot = {
      path: spot.path === '' ? name : `${spot.path}.${name}`,
      segments: [...spot.segments, name],
      place: (value) => spot.place({ [name]: value }),
    }
    return keyOf(member, {
      spot: inner,
      isRequired: schema.required?.includes(name) ?? false,
      aliases: aliases.filter(([, canonical]) => canonical === name).map(([alias]) => alias),
      without: spot.place(without(schema, name)),
    })
  })
}

/** Returns the smallest map without this key, where the example has it. */
function without(schema: SchemaView, name: string): JsonObject {
  const isGiven = !schema.required?.includes(name) && Object.hasOwn(sampleMap(schema), name)
  return isGiven ? { [name]: undefined } : {}
}

interface KeyFacts {
  readonly spot: Spot
  readonly isRequired: boolean
  readonly aliases: readonly string[]
  readonly without: JsonObject
}

function keyOf(schema: SchemaView, { spot, isRequired, aliases, without }: KeyFacts): Key {
  const { description = '', 'x-details': details, default: fallback, examples = [] } = schema
  const others = schema['x-with'] ?? {}
  return {
    path: spot.path,
    segments: spot.segments,
    type: typeText(schema),
    isRequired,
    description,
    ...(details === undefined ? {} : { details }),
    ...(fallback === undefined ? {} : { default: fallback }),
    limits: limitsOf(schema),
    examples,
    aliases,
    members: insideOf(schema, spot, without),
    probe: {
      without: { ...others, ...without },
      values: schema.const === undefined ? valuesOf(schema) : [],
      with: (value) => ({ ...others, ...spot.place(value) }),
      hasForms: formsOf(schema.items ?? schema).some(({ word }) => word !== undefined),
    },
  }
}

/** Returns the keys below a value: members of a map, of items of a list, of values of a map, of forms of a union. */
function insideOf(schema: SchemaView, spot: Spot, without: JsonObject): readonly Key[] {
  const { items } = schema
  if (items) return insideOf(items, { ...spot, path: `${spot.path}[]`, place: (value) => spot.place([value]) }, without)
  const [free] = Object.values(schema.patternProperties ?? {})
  if (free) return insideOf(free, freeSpot(schema, spot), without)
  if (schema.type === 'object') return membersOf(schema, overSample(schema, spot))
  return formsOf(schema).flatMap(({ schema: form, word }) => {
    if (word === undefined) return membersOf(form, overSample(form, spot))
    const inner: Spot = {
      path: `${spot.path.replace(/\[\]$/, '')}[${word}]`,
      segments: [...spot.segments, word],
      place: spot.place,
    }
    return [
      {
        ...keyOf(form, { spot: inner, isRequired: false, aliases: [], without }),
        members: membersOf(form, overSample(form, inner)),
      },
    ]
  })
}

function overSample(schema: SchemaView, spot: Spot): Spot {
  return { ...spot, place: (value) => spot.place(sampleMap(schema, isObject(value) ? value : {})) }
}

/** Stands for the keys of a map whose keys are providers; the names of providers replace it when rules are asked. */
export const anyProvider = 'PROVIDER'

function freeSpot(schema: SchemaView, spot: Spot): Spot {
  const name = schema['x-per-provider'] ? anyProvider : 'KEY'
  return {
    path: `${spot.path}.<${schema['x-per-provider'] ? 'provider' : 'name'}>`,
    segments: spot.segments,
    place: (value) => spot.place({ [name]: value }),
  }
}
