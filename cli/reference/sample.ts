// The smallest value that a schema accepts, so that the rules of providers can be asked about one key at a time.
import { type SchemaView, viewOf } from '../../core/declaration/schema-view.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

/** Logical name of every sample declaration. */
export const sampleName = 'example'

export function sampleOf(schema: SchemaView): Json {
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  if (schema['x-name-of'] !== undefined) return sampleName
  if (schema['x-path'] !== undefined) return './sample.md'
  if (schema.pattern !== undefined) return '0'.repeat(40)
  if (schema.type === 'object') return sampleMap(schema)
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items)] : []
  if (schema.type === 'boolean') return true
  return schema.type === 'integer' || schema.type === 'number' ? (schema.minimum ?? 1) : 'text'
}

/**
 * Returns a map with the given members: added to the example of the schema that fits them, or to the required members
 * alone.
 */
export function sampleMap(schema: SchemaView, given: JsonObject = {}): JsonObject {
  const examples = schema.examples?.filter(isObject) ?? []
  const example = examples.find((one) => fits(one, given)) ?? examples[0]
  return { ...(example ?? requiredOf(schema)), ...given }
}

function fits(example: JsonObject, given: JsonObject): boolean {
  return Object.entries(given).every(([key, value]) => typeof value !== 'string' || (example[key] ?? value) === value)
}

function requiredOf(schema: SchemaView): JsonObject {
  const required = [...(schema.required ?? []), ...(schema.oneOf?.[0]?.required ?? [])]
  const members = Object.entries(schema.properties ?? {}).filter(([key]) => required.includes(key))
  const [free] = Object.values(schema.patternProperties ?? {})
  return {
    ...Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member)])),
    ...(free ? { KEY: sampleOf(free) } : {}),
  }
}

/** Returns every value to check: each word of a choice, both booleans, each example, each form. */
export function valuesOf(schema: SchemaView): readonly Json[] {
  const forms = formsOf(schema.items ?? schema).filter(({ word }) => word !== undefined)
  if (forms.length > 0) return forms.map((form) => (schema.items ? [sampleMap(form.schema)] : sampleMap(form.schema)))
  if (schema.examples) return schema.examples
  if (schema.enum) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  return [sampleOf(schema)]
}

/**
 * Returns the forms of a union that are maps, with what distinguishes them: `git_repository`, or nothing if there is
 * only one.
 */
export function formsOf(schema: SchemaView): readonly Form[] {
  const maps = (schema.anyOf ?? []).filter((branch) => branch.type === 'object').map(viewOf)
  return maps.map((form) => {
    const word = Object.values(form.properties ?? {}).find((member) => member.const !== undefined)?.const
    return maps.length > 1 && word !== undefined ? { schema: form, word } : { schema: form }
  })
}

export interface Form {
  readonly schema: SchemaView
  readonly word?: string
}
