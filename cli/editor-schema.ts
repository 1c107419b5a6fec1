// The JSON Schema of agents.yaml for editors: what the engine's own schemas say, without what only the engine reads, and
// with room for `${VAR}` wherever a text may hold one.
import type { Kind } from '../core/plugin/kind.js'
import type { Provider } from '../core/plugin/provider.js'
import { isObject, type Json, type JsonObject } from '../core/value/tree.js'
import { builtins } from '../plugins/builtins.js'
import { kinds } from '../plugins/kinds/index.js'

const holdsVariable: JsonObject = { type: 'string', pattern: '\\$\\{[A-Za-z_]' }

/** Loads every built-in provider, for its block under `providers`. */
export async function editorSchema(): Promise<JsonObject> {
  const providers = await Promise.all(Object.values(builtins).map(({ load }) => load()))
  const words = synonyms(providers)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'agents.yaml',
    type: 'object',
    required: ['version', 'providers'],
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    properties: {
      version: { const: '1', description: 'Version of the format, quoted: "1".' },
      providers: providersSchema(providers, words),
      defaults: defaultsSchema(kinds),
      ...Object.fromEntries(kinds.map((kind) => [kind.section, sectionSchema(kind, words)])),
    },
  }
}

function providersSchema(providers: readonly Provider[], words: Synonyms): JsonObject {
  const blocks = providers.flatMap(({ name, aliases, title, configuration }) => {
    const block = { ...objectOf(forEditors(plain(configuration), words)), description: title }
    return [name, ...aliases].map((key) => [key, block] as const)
  })
  return {
    type: 'object',
    minProperties: 1,
    description: 'The providers, each with its credentials.',
    properties: Object.fromEntries(blocks),
    additionalProperties: {
      type: 'object',
      required: ['plugin'],
      properties: { plugin: { type: 'string', description: 'Package or path of a third-party provider.' } },
    },
  }
}

function defaultsSchema(all: readonly Kind[]): JsonObject {
  const named = all.filter(({ hasDefault }) => hasDefault).map(({ kind }) => [kind, { type: 'string' }] as const)
  const provider = { type: 'string', description: 'Where unpinned declarations go; "all" is every declared provider.' }
  return { type: 'object', additionalProperties: false, properties: { provider, ...Object.fromEntries(named) } }
}

function sectionSchema({ summary, schema }: Kind, words: Synonyms): JsonObject {
  return { type: ['object', 'null'], description: summary, additionalProperties: forEditors(plain(schema), words) }
}

/** Field to canonical word to its other spellings. */
type Synonyms = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

function synonyms(providers: readonly Provider[]): Synonyms {
  const found = new Map<string, Map<string, string[]>>()
  for (const { words } of providers) {
    for (const [field, table] of Object.entries(words ?? {})) {
      const ofField = found.get(field) ?? new Map<string, string[]>()
      for (const [alias, word] of Object.entries(table)) ofField.set(word, [...(ofField.get(word) ?? []), alias])
      found.set(field, ofField)
    }
  }
  return found
}

/** TypeBox keeps what it needs for itself in members that JSON does not show. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema))
}

function forEditors(schema: Json, words: Synonyms): Json {
  if (Array.isArray(schema)) return schema.map((item: Json) => forEditors(item, words))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-'))
  const shown = Object.fromEntries(kept.map(([key, value]) => [key, nested.has(key) ? inner(value, words) : value]))
  return withVariables(withAliases(shown, schema['x-aliases']), schema, words)
}

/** Members that hold schemas, by whatever name. */
const nested: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'anyOf',
])

function inner(value: Json | undefined, words: Synonyms): Json {
  if (!isObject(value) || 'type' in value || 'anyOf' in value) return forEditors(value ?? null, words)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, forEditors(member ?? null, words)]))
}

/** Other spellings of a key are keys too, and then neither is required. */
function withAliases(schema: JsonObject, aliases: Json | undefined): JsonObject {
  if (!isObject(aliases)) return schema
  const properties = objectOf(schema['properties'])
  const added = Object.entries(aliases).map(([alias, key]) => [alias, properties[String(key)]] as const)
  const { required } = schema
  const canonical = Object.values(aliases)
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(added) },
    ...(Array.isArray(required) ? { required: required.filter((key: Json) => !canonical.includes(key)) } : {}),
  }
}

/** Numbers are taken as secrets too; closed words and patterns may come from a variable. */
function withVariables(shown: JsonObject, schema: JsonObject, words: Synonyms): JsonObject {
  if (schema['x-secret'] === true) return { ...shown, type: ['string', 'number'] }
  const { enum: closed, const: only, pattern, description, ...rest } = shown
  if (only !== undefined) {
    const aliases = words.get(String(schema['x-words']))?.get(String(only)) ?? []
    return { ...rest, ...(description === undefined ? {} : { description }), enum: [only, ...aliases] }
  }
  if (closed === undefined && pattern === undefined) return shown
  const choice: JsonObject = closed === undefined ? { ...rest, pattern } : { ...rest, enum: closed }
  return { ...(description === undefined ? {} : { description }), anyOf: [choice, holdsVariable] }
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
