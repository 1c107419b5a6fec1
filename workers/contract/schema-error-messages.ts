// Messages that state what a value must be.
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { closest } from '../../core/value/suggestions.js'

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
}

/** Explains a value that is wrong itself, not in its members. */
export function leafMessage(schema: TSchema, value: unknown): string {
  const { enum: words, pattern, format, examples, description, minLength, minItems, maxItems }: Members = { ...schema }
  if (Array.isArray(words)) return `must be one of ${words.map(String).join(', ')}${suggestion(value, words)}`
  if ('const' in schema) return `must be ${JSON.stringify(schema.const)}`
  if (!isOfType(schema, value)) return `must be ${kindOf(schema)}`
  if (minLength === 1 && value === '') return 'must not be empty'
  if (!hasForm({ pattern, format }, value)) {
    if (Array.isArray(examples)) return `must look like ${quoted(examples)}`
    if (description !== undefined) return `must be ${description}`
  }
  if (Array.isArray(value) && value.length < Number(minItems)) return `must have ${minItems} or more elements`
  if (Array.isArray(value) && value.length > Number(maxItems)) {
    return `must have no more than ${maxItems} elements, and has ${value.length}`
  }
  return Errors(schema, value)[0]?.message ?? 'is not valid'
}

/** Names of members in the manual and in other services that are too different for a spelling suggestion. */
const synonyms: Readonly<Record<string, string>> = { passphrase: 'password' }

export function unknownMessage(
  name: string,
  names: { readonly known: readonly string[]; readonly free: readonly string[] },
) {
  const synonym = names.free.find((free) => free === synonyms[name.toLowerCase()])
  const found = synonym ?? closest(name, names.free)
  if (found !== undefined) return `is unknown; did you mean ${JSON.stringify(found)}?`
  return names.known.length === 0 ? 'is unknown' : `is unknown; known are ${names.known.join(', ')}`
}

export function missingMessage(missing: readonly string[], others: readonly string[]): string {
  const needs = `needs the ${missing.length === 1 ? 'member' : 'members'} ${missing.join(', ')}`
  const [name = ''] = missing
  const found = closest(name, others)
  return found === undefined ? needs : `${needs}, and ${JSON.stringify(found)} is unknown`
}

/** Returns the alternatives as text: `"start", "end", { before } or { after }`. */
export function kindsOf(schemas: readonly TSchema[]): string {
  const all = [...new Set(schemas.flatMap(plainKinds).map(kindOf))]
  const last = all.pop()
  return all.length === 0 ? `${last}` : `${all.join(', ')} or ${last}`
}

/** Flattens nested unions. */
function plainKinds(schema: TSchema): readonly TSchema[] {
  const { anyOf }: Members = { ...schema }
  return Array.isArray(anyOf) ? anyOf.filter(isMembers).flatMap(plainKinds) : [schema]
}

function kindOf(schema: TSchema): string {
  const { type, required, properties, enum: words }: Members = { ...schema }
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(', ')
  if (type !== 'object') return kinds[String(type)] ?? 'something else'
  return Array.isArray(required) && required.length > 0
    ? `{ ${required.map((name) => memberOf(String(name), Object(properties)[name])).join(', ')} }`
    : 'an object'
}

/** Returns `kind: "fqn"`, or only the name if the value is not constant. */
const memberOf = (name: string, schema: unknown): string =>
  isMembers(schema) && 'const' in schema ? `${name}: ${JSON.stringify(schema.const)}` : name

/** True if the text matches the pattern; it may violate another rule, such as its length. */
function hasForm({ pattern, format }: Pick<Members, 'pattern' | 'format'>, value: unknown): boolean {
  if (format !== undefined) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(String(value))
}

function isOfType(schema: TSchema, value: unknown): boolean {
  const { type }: Members = { ...schema }
  if (type === 'object') return isMembers(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === undefined || (type === 'integer' ? Number.isInteger(value) : typeof value === type)
}

function suggestion(value: unknown, words: readonly unknown[]): string {
  const texts = words.filter((word) => typeof word === 'string')
  const found = typeof value === 'string' ? closest(value, texts) : undefined
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`
}

const quoted = (examples: readonly unknown[]): string => examples.map((example) => JSON.stringify(example)).join(' or ')

/** Characters of a name that a message shows. */
const shownMax = 200

/** Returns one step of a JSON pointer (RFC 6901); names that no schema has are cut. */
export const stepTo = (name: string): string => {
  const shown = name.length > shownMax ? `${name.slice(0, shownMax)}…` : name
  return `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
