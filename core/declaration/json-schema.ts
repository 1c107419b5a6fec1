// Builds the JSON Schema of agents.yaml for editors from the schemas that check the file, so that the two cannot
// differ.
import type { Registry } from '../plugin/registry.js'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import { dialectKeys } from './dialect.js'
import { declarationLimits } from './limits.js'
import { projectNameText } from './project-name.js'
import { type SchemaView, viewOf } from './schema-view.js'
import { defaultsSchema } from './targets.js'

/**
 * Returns JSON Schema, draft 2020-12. The registry should contain every built-in provider, so that the schema contains
 * their enumerated values and blocks.
 */
export function editorSchema(registry: Registry): JsonObject {
  const kinds = [...registry.kinds.values()]
  const convert = (schema: SchemaView) => converted(schema, registry)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'agents.yaml',
    description: 'Providers and managed-agent resources, reconciled by agents.',
    type: 'object',
    properties: {
      version: { const: '1', description: 'Version of this format, in quotes.' },
      project: {
        type: 'string',
        minLength: 1,
        maxLength: declarationLimits.projectNameLengthMax,
        description: projectNameText.description,
        examples: [projectNameText.example],
      },
      providers: providersSchema(registry),
      defaults: convert(viewOf(defaultsSchema(kinds))),
      ...Object.fromEntries(
        kinds.map(({ kind, section, summary }) => [
          section,
          { type: ['object', 'null'], description: summary, additionalProperties: { $ref: `#/$defs/${kind}` } },
        ]),
      ),
    },
    patternProperties: { '^x-': {} },
    required: ['version', 'providers'],
    additionalProperties: false,
    $defs: Object.fromEntries(kinds.map(({ kind, schema }) => [kind, convert(viewOf(schema))])),
  }
}

function providersSchema(registry: Registry): JsonObject {
  const blocks: Record<string, Json> = {}
  for (const [name, { configuration, title, aliases }] of registry.providers) {
    const block = { ...converted(viewOf(configuration), registry), description: title }
    for (const key of [name, ...aliases]) blocks[key] = block
  }
  const plugin = { type: 'string', description: 'Package, or path beside this file.' }
  const dialect = Object.fromEntries(
    Object.entries(dialectKeys).map(([key, schema]) => [key, converted(schema, registry)]),
  )
  return {
    type: 'object',
    description: 'One block for each provider, with its credentials.',
    minProperties: 1,
    properties: blocks,
    additionalProperties: {
      type: 'object',
      description: 'A provider from a plugin, or one that is like a built-in provider.',
      properties: { plugin, ...dialect },
      anyOf: [{ required: ['plugin'] }, { required: ['like'] }],
    },
  }
}

/**
 * Returns plain JSON Schema: annotations become keywords that editors understand, and every enumerated value may be a
 * `${VAR}`.
 */
function converted(schema: SchemaView, registry: Registry): JsonObject {
  const plain = Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) =>
      keyword.startsWith('x-') || keyword.startsWith('~') ? [] : [[keyword, inner(keyword, value, registry)] as const],
    ),
  )
  const aliases = schema['x-aliases']
  const described = aliases ? withAliases(plain, aliases) : plain
  return orVariable(schema, withWords(schema, described, registry))
}

/** Keywords that contain schemas, with their form. */
const schemaKeywords: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  items: 'one',
  additionalProperties: 'one',
  anyOf: 'list',
  properties: 'map',
  patternProperties: 'map',
}

function inner(keyword: string, value: unknown, registry: Registry): Json {
  const holds = schemaKeywords[keyword]
  if (holds === 'one' && isObject(value)) return converted(viewOf(value), registry)
  if (holds === 'list' && Array.isArray(value)) return value.map((item) => converted(viewOf(item), registry))
  if (holds === 'map' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, converted(viewOf(item ?? {}), registry)]),
    )
  }
  return value as Json
}

/** Adds the aliases of keys. A required key may have either spelling. */
function withAliases(schema: JsonObject, aliases: Readonly<Record<string, string>>): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const pairs = Object.entries(aliases)
  const renamed = new Set(pairs.map(([, canonical]) => canonical))
  const eitherOf = pairs
    .filter(([, canonical]) => required.includes(canonical))
    .map(([alias, canonical]) => ({
      anyOf: [{ required: [canonical] }, { required: [alias] }],
    }))
  return {
    ...schema,
    properties: {
      ...properties,
      ...Object.fromEntries(pairs.map(([alias, canonical]) => [alias, properties[canonical]])),
    },
    required: required.filter((key) => typeof key === 'string' && !renamed.has(key)),
    ...(eitherOf.length === 0 ? {} : { allOf: eitherOf }),
  }
}

/** Offers synonyms of enumerated values and names of providers, without requiring them. */
function withWords(schema: SchemaView, plain: JsonObject, { kinds, providers }: Registry): JsonObject {
  const names = [...providers.keys()]
  if (schema['x-provider']) return { ...plain, examples: names }
  if (schema['x-per-provider']) {
    const [item] = Object.values(isObject(plain['patternProperties']) ? plain['patternProperties'] : {})
    return { ...plain, properties: Object.fromEntries(names.map((name) => [name, item])) }
  }
  const field = schema['x-words']
  if (field === undefined) return plain
  const tables = [...kinds.values(), ...providers.values()].map(({ words }) => words?.[field] ?? {})
  const synonyms = tables.flatMap((table) => Object.entries(table))
  const { const: only } = schema
  if (only === undefined) return { ...plain, examples: [...new Set(synonyms.map(([, canonical]) => canonical))] }
  const same = synonyms.filter(([, canonical]) => canonical === only).map(([alias]) => alias)
  const { const: _, ...rest } = plain
  return { ...rest, enum: [only, ...new Set(same)] }
}

/** Keywords with texts for people, which editors read beside `anyOf`. */
const remarkKeywords: ReadonlySet<string> = new Set(['description', 'default', 'examples'])

/** Allows a variable in place of the value, which is checked when it is known. Secrets may be numbers. */
function orVariable(schema: SchemaView, plain: JsonObject): JsonObject {
  if (schema['x-secret']) return { ...plain, type: ['string', 'number'] }
  if (!schema.enum && schema.pattern === undefined) return plain
  const remarks = Object.entries(plain).filter(([keyword]) => remarkKeywords.has(keyword))
  const rest = Object.entries(plain).filter(([keyword]) => !remarkKeywords.has(keyword))
  return {
    ...Object.fromEntries(remarks),
    anyOf: [Object.fromEntries(rest), { type: 'string', pattern: '\\$\\{' }],
  }
}
