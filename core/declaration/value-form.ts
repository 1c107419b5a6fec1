// Writes a value of the wrong type in the form that its place expects, as the cure of the mistake.
import { Check } from 'typebox/schema'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import { plainValue } from './plain-scalars.js'
import { memberOf, type SchemaView } from './schema-view.js'

/** Maximum length of a cure in characters; a longer one says less than the description of the key. */
const lengthMax = 160

/**
 * Returns the value as a list or a map that the schema takes, in YAML: a text where a map is expected becomes the value
 * of the key that takes it. Undefined if there is no such form.
 */
export function formOf(schema: SchemaView, value: Json): string | undefined {
  for (const branch of schema.anyOf ?? [schema]) {
    const form = inForm(branch, value)
    const text = form === undefined ? undefined : flow(form)
    if (text !== undefined && text.length <= lengthMax) return text
  }
  return undefined
}

function inForm(schema: SchemaView, value: Json): Json | undefined {
  if (schema.type === 'array' && schema.items && !Array.isArray(value))
    return Check(schema.items, value) ? [value] : undefined
  if (schema.type !== 'object' || isObject(value)) return undefined
  const required = schema.required ?? []
  const keys = [...new Set([...required, ...Object.keys(schema.properties ?? {})])]
  const fitting = keys.find((key) => isTaken(memberOf(schema, key), value))
  if (fitting === undefined) return undefined
  const others = required.filter((key) => key !== fitting).map((key) => [key, sampleOf(memberOf(schema, key))] as const)
  const members: JsonObject = { [fitting]: value, ...Object.fromEntries(others) }
  return Object.fromEntries(keys.filter((key) => key in members).map((key) => [key, members[key]]))
}

/** True if the member may have the value, and the value may be shown. */
function isTaken(member: SchemaView | undefined, value: Json): boolean {
  if (!member || member['x-secret'] || member['x-provider']) return false
  return Check(member, value)
}

function sampleOf(member: SchemaView | undefined): Json {
  return member?.examples?.[0] ?? member?.default ?? member?.enum?.[0] ?? member?.const ?? '…'
}

/** Returns the value in YAML on one line. */
function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member ?? null)}`)
    return `{ ${members.join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[\p{L}_./…][\p{L}\p{N} _./…-]*$/u.test(value) && plainValue(value) === value ? value : JSON.stringify(value)
}
