// Checks a value against its schema and reports problems leaf by leaf. TypeBox checks; this file narrows unions to the
// intended branch, so that a mistake is reported at its place instead of as "matches no branch". For requests to the
// document server, which are answered with one sentence, see workers/contract/schema-error.ts.
import { Check, Compile, Errors } from 'typebox/schema'
import type { NodePath } from '../plugin/declaration.js'
import { hasPlaceholder, placeholdersIn } from '../value/placeholder.js'
import { listed } from '../value/suggestions.js'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import {
  cure,
  explanations,
  keyMeant,
  missingKey,
  neverText,
  noValue,
  type SchemaProblem,
  shapeNames,
  unknownKey,
  unknownWord,
  wrongType,
} from './explanations.js'
import { memberOf, narrow, type SchemaView, shapeOf } from './schema-view.js'
import { unreadable } from './text-reader.js'

/** Number of checks after which compiling a schema pays off. */
const usesUntilCompiled = 20

interface CachedValidator {
  uses: number
  compiled?: (value: Json) => boolean
}

export class SchemaChecker {
  private readonly validators = new Map<SchemaView, CachedValidator>()

  /** Returns all problems of the value. Texts that wait for an unset variable count as valid. */
  check(schema: SchemaView, value: Json): readonly SchemaProblem[] {
    if (this.isValid(schema, value)) return []
    const found: SchemaProblem[] = []
    explain(schema, value, [], found)
    if (found.length > 0 || placeholdersIn(value).length > 0) return found
    const [, [first]] = Errors(schema, value)
    return [{ code: 'declaration.invalid-value', at: [], detail: `The value ${first?.message ?? 'is not valid'}.` }]
  }

  private isValid(schema: SchemaView, value: Json): boolean {
    const judge: CachedValidator = this.validators.get(schema) ?? { uses: 0 }
    this.validators.set(schema, judge)
    if (judge.uses++ === usesUntilCompiled) {
      const validator = Compile(schema)
      judge.compiled = (candidate) => validator.Check(candidate)
    }
    return judge.compiled ? judge.compiled(value) : Check(schema, value)
  }
}

function explain(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): void {
  if (value === unreadable) return
  if (typeof value === 'string' && hasPlaceholder(value)) {
    if (!takesText(schema)) found.push({ code: 'declaration.wrong-type', at, ...neverText(schema) })
    return
  }
  const branch = schema.anyOf ? branchOf(schema, value, at, found) : schema
  if (!branch) return
  reportShell(branch, value, at, found)
  if (isObject(value) && branch.type === 'object') {
    const misspelt = misspeltKeys(branch, value)
    for (const key of branch.required ?? []) {
      if (!Object.hasOwn(value, key) && !misspelt.has(key)) found.push(missingKey({ schema: branch, value, at }, key))
    }
    for (const [key, member] of Object.entries(value)) {
      const inner = memberOf(branch, key)
      if (inner && member !== undefined) explain(inner, member, [...at, key], found)
      else if (branch.additionalProperties === false) {
        const isMissing = (branch.required ?? []).includes(keyMeant(branch, key) ?? '')
        found.push({ ...unknownKey({ schema: branch, value, at }, key), isMissing })
      }
    }
  } else if (Array.isArray(value) && branch.items) {
    for (const [index, item] of value.entries()) explain(branch.items, item, [...at, index], found)
  }
}

/**
 * Returns the required keys that misspelled keys were meant to be. The misspelling is reported, so they do not count as
 * missing too.
 */
function misspeltKeys(schema: SchemaView, value: JsonObject): ReadonlySet<string> {
  const { properties = {}, additionalProperties } = schema
  if (additionalProperties !== false) return new Set()
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
  return new Set(unknown.flatMap((key) => keyMeant(schema, key) ?? []))
}

function branchOf(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): SchemaView | undefined {
  const narrowed = narrow(schema, {
    shape: shapeOf(value),
    text: (key) => (isObject(value) && typeof value[key] === 'string' ? value[key] : undefined),
  })
  if (narrowed.type === 'branch') return narrowed.schema
  if (narrowed.type === 'shape') {
    const expected = narrowed.shapes.map((shape) => shapeNames[shape])
    if (value === null) found.push(noValue(expected, at))
    else found.push({ code: 'declaration.wrong-type', at, ...wrongType(expected, value), ...cure(schema, value) })
    return undefined
  }
  const { key, words } = narrowed
  const word = isObject(value) ? value[key] : undefined
  if (typeof word === 'string' && hasPlaceholder(word)) return undefined
  if (word === undefined) {
    const detail = `"${key}" says which form this has: ${listed(words)}.`
    found.push({ code: 'declaration.missing-key', at, detail, fix: `Add ${key}: ${words[0]}, or another one.` })
  } else {
    found.push({ code: 'declaration.unknown-word', at: [...at, key], ...unknownWord(word, words) })
  }
  return undefined
}

/** Collects TypeBox's findings about the value itself, without its members. */
function reportShell(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): void {
  const {
    properties: _,
    patternProperties: __,
    additionalProperties: ___,
    required: ____,
    items: _____,
    ...shell
  } = schema
  const [, errors] = Errors(shell, value)
  for (const { keyword } of errors) {
    const explain = explanations[keyword]
    if (explain) found.push(...explain({ schema, value, at }))
  }
}

function takesText(schema: SchemaView): boolean {
  return schema.anyOf?.some(takesText) ?? (schema.type === undefined || schema.type === 'string')
}
