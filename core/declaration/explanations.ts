// Explanations of the ways in which a value can violate its schema.

import type { NodePath } from '../plugin/declaration.js'
import { closest, hint, likelyMeant, listed } from '../value/suggestions.js'
import { isObject, type Json } from '../value/tree.js'
import type { ProblemCode } from './problems.js'
import { type SchemaView, type Shape, shapeOf } from './schema-view.js'
import { formOf } from './value-form.js'

export interface SchemaProblem {
  readonly code: ProblemCode
  readonly at: NodePath
  /** True if the problem is with the key of the last step, not with its value. */
  readonly onKey?: boolean
  readonly detail: string
  readonly fix?: string
  /** Text to quote in the message; the file may spell it differently. */
  readonly quotes?: string
  /** True if the key is a misspelling of a required one. */
  readonly isMissing?: boolean
  /** True if the key was most likely meant to be another one, so that the value lacks that one. */
  readonly isMisspelt?: boolean
}

export interface Failure {
  readonly schema: SchemaView
  readonly value: Json
  readonly at: NodePath
}

type Explanation = (failure: Failure) => readonly SchemaProblem[]

const invalid =
  (detail: (failure: Failure) => string): Explanation =>
  (failure) => [{ code: 'declaration.invalid-value', at: failure.at, detail: detail(failure) }]

/** Explanations by JSON Schema keyword. */
export const explanations: Readonly<Record<string, Explanation>> = {
  type: ({ schema, value, at }) => [
    value === null
      ? noValue([typeName(schema)], at)
      : {
          code: 'declaration.wrong-type',
          at,
          ...(typeof value === 'string' ? neverText(schema) : wrongType([typeName(schema)], value)),
          ...cure(schema, value),
        },
  ],
  enum: ({ schema, value, at }) => [wordProblem(schema.enum ?? [], value, at)],
  const: ({ schema, value, at }) => [wordProblem([schema.const ?? ''], value, at)],
  minLength: invalid(({ schema }) =>
    schema.minLength === 1 ? 'The text is empty.' : `The text is shorter than ${schema.minLength} characters.`,
  ),
  maxLength: invalid(
    ({ schema, value }) => `The text has ${String(value).length} characters; at most ${schema.maxLength} are allowed.`,
  ),
  pattern: invalid(({ schema }) => {
    const about = schema.description ? ` What belongs here: ${uncapitalised(schema.description)}` : ''
    return schema['x-address']
      ? `An address begins with http:// or https:// and has no user, password, query or fragment.${about}`
      : `The value does not have the required form.${about}`
  }),
  minimum: invalid(({ schema }) => `The number is below ${schema.minimum}, the lowest allowed.`),
  maximum: invalid(({ schema }) => `The number is above ${schema.maximum}, the highest allowed.`),
  multipleOf: invalid(({ schema }) => `The number is no multiple of ${schema.multipleOf}.`),
  minItems: invalid(
    ({ schema, value }) =>
      `The list has ${sizeOf(value)} items; at least ${schema.minItems} ${schema.minItems === 1 ? 'is' : 'are'} needed.`,
  ),
  maxItems: invalid(
    ({ schema, value }) => `The list has ${sizeOf(value)} items; at most ${schema.maxItems} are allowed.`,
  ),
  minProperties: invalid(({ schema }) => `Too few keys: ${needed(schema)}.`),
  maxProperties: invalid(({ schema }) => `Too many keys: ${needed(schema)}.`),
  oneOf: alternatives,
  dependentRequired: withoutOthers,
}

/** Explains `oneOf`, whose branches each require one key: exactly one of these keys belongs to the map. */
function alternatives({ schema, value, at }: Failure): readonly SchemaProblem[] {
  const keys = (schema.oneOf ?? []).flatMap(({ required = [] }) => required)
  const written = isObject(value) ? Object.keys(value) : []
  const [first, ...others] = written.filter((key) => keys.includes(key))
  const needed = `Exactly one of these is needed: ${listed(keys)}`
  if (first !== undefined)
    return others.map((key) => ({
      code: 'declaration.refused-key',
      at: [...at, key],
      onKey: true,
      detail: `${needed}. ${first} is there.`,
      fix: `Remove ${key}, or ${first}.`,
    }))
  // A misspelt key is reported by itself.
  if (written.some((key) => keys.includes(keyMeant(schema, key) ?? ''))) return []
  return [{ code: 'declaration.missing-key', at, onKey: true, detail: `${needed}.`, fix: `Add ${listed(keys)}.` }]
}

/** Explains `dependentRequired`: a key says something about another one, which is not there. */
function withoutOthers({ schema, value, at }: Failure): readonly SchemaProblem[] {
  const written = isObject(value) ? Object.keys(value) : []
  return Object.entries(schema.dependentRequired ?? {}).flatMap(([key, others]) => {
    const missing = others.filter((other) => !written.includes(other))
    // A misspelt key is reported by itself.
    const isMisspelt = written.some((other) => missing.includes(keyMeant(schema, other) ?? ''))
    if (!written.includes(key) || missing.length === 0 || isMisspelt) return []
    const detail = `${key} has a meaning beside ${listed(missing)} alone, and there is none.`
    return [{ code: 'declaration.refused-key', at: [...at, key], onKey: true, detail, fix: `Remove ${key}.` }]
  })
}

export function missingKey({ schema, at }: Failure, key: string): SchemaProblem {
  const description = schema.properties?.[key]?.description
  const detail = `"${key}" is required${description === undefined ? '.' : `: ${uncapitalised(description)}`}`
  return { code: 'declaration.missing-key', at, onKey: true, detail, fix: `Add ${key}.` }
}

/** Returns the key that an unknown one most likely stands for. */
export function keyMeant({ 'x-meant': others = {}, properties = {} }: SchemaView, key: string): string | undefined {
  return Object.hasOwn(others, key) ? others[key] : likelyMeant(key, Object.keys(properties))
}

export function unknownKey({ schema, at }: Failure, key: string): SchemaProblem {
  const { 'x-refused': refused = {}, properties = {} } = schema
  const place = { at: [...at, key], onKey: true }
  const refusal = Object.hasOwn(refused, key) ? refused[key] : undefined
  if (refusal !== undefined) return { code: 'declaration.refused-key', ...place, detail: refusal }
  const found = keyMeant(schema, key)
  const instead = found === undefined ? hint(key, Object.keys(properties)) : `Did you mean "${found}"?`
  const detail = `"${key}" is not a key here. ${instead}`
  return { code: 'declaration.unknown-key', ...place, detail, isMisspelt: found !== undefined }
}

function wordProblem(words: readonly string[], value: Json, at: NodePath): SchemaProblem {
  if (value === null) return { code: 'declaration.no-value', at, onKey: true, detail: `Use ${listed(words)}.` }
  return { code: 'declaration.unknown-word', at, ...unknownWord(value, words) }
}

export function unknownWord(word: Json, words: readonly string[]): { readonly detail: string } {
  const found = typeof word === 'string' ? closest(word, words) : undefined
  return { detail: `Use ${listed(words)}.${found === undefined ? '' : ` Did you mean "${found}"?`}` }
}

/** Reports that no value follows the colon. */
export function noValue(expected: readonly string[], at: NodePath): SchemaProblem {
  return { code: 'declaration.no-value', at, onKey: true, detail: `${article(listed(expected))} is expected here.` }
}

/**
 * Reports a value of the wrong type. YAML reads `8080` and `yes` as other types than text; a variable is always text.
 */
export function wrongType(expected: readonly string[], value: Json): Pick<SchemaProblem, 'detail' | 'quotes'> {
  const is = expected.includes('whole number') && typeof value === 'number' ? 'number with a fraction' : nameOf(value)
  const detail = `${article(listed(expected))} is expected here, but this is ${article(is).toLowerCase()}.`
  const isScalar = typeof value === 'number' || typeof value === 'boolean'
  return isScalar && expected.includes('text') ? { detail, quotes: String(value) } : { detail }
}

/** Returns the cure of a value of the wrong type: the value to write. */
export function cure(schema: SchemaView, value: Json): { readonly fix?: string } {
  const form = formOf(schema, value)
  return form === undefined ? {} : { fix: `Write ${form}` }
}

export function neverText(schema: SchemaView): { readonly detail: string; readonly fix: string } {
  const name = typeName(schema)
  const isScalar = name.endsWith('number') || name === 'truth value'
  return {
    detail: `${article(name)} is expected here, but this is a text${isScalar ? '; the value of a variable is always one' : ''}.`,
    fix:
      name === 'truth value'
        ? 'Write true or false, without quotes.'
        : `Write ${article(name).toLowerCase()}${isScalar ? ', without quotes' : ''}.`,
  }
}

function typeName({ type, enum: words }: SchemaView): string {
  if (words) return 'text'
  return typeNames[type ?? ''] ?? 'text'
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'truth value',
  integer: 'whole number',
  number: 'number',
  object: 'map',
  array: 'list',
}

export const shapeNames: Readonly<Record<Shape, string>> = {
  text: 'text',
  map: 'map',
  list: 'list',
  other: 'number or truth value',
}

function nameOf(value: Json): string {
  if (value === null) return 'nothing'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'truth value' : shapeNames[shapeOf(value)]
}

function article(name: string): string {
  return name === 'nothing' || name.startsWith('text') ? capitalised(name) : `A ${name}`
}

function needed({ minProperties, maxProperties, properties = {} }: SchemaView): string {
  const keys = listed(Object.keys(properties))
  return minProperties === 1 && maxProperties === 1
    ? `exactly one of ${keys} is needed`
    : `${minProperties ?? 0} to ${maxProperties ?? 'any number'} are allowed`
}

function sizeOf(value: Json): number {
  return Array.isArray(value) ? value.length : 0
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function uncapitalised(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}
