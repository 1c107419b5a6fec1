// Checks a value against its schema and explains what is wrong leaf by leaf. TypeBox judges; this file narrows unions
// to the branch that is meant, so that a mistake is told where it is instead of as "matches no branch".
import { Check, Errors } from 'typebox/value'
import { hasPlaceholder, placeholdersIn } from '../value/placeholder.js'
import { isObject, type Json } from '../value/tree.js'
import type { NodePath } from './declaration.js'
import {
  explanations,
  neverText,
  type Params,
  type SchemaProblem,
  shapeNames,
  unknownWord,
  wrongType,
} from './explanations.js'
import { memberOf, narrow, type SchemaView, shapeOf } from './schema-view.js'
import { listed } from './suggestions.js'

/** Everything that is wrong with the value. Texts that wait for an unset variable are taken for right. */
export function checkSchema(schema: SchemaView, value: Json): readonly SchemaProblem[] {
  if (Check(schema, value)) return []
  const found: SchemaProblem[] = []
  explain(schema, value, [], found)
  if (found.length > 0 || placeholdersIn(value).length > 0) return found
  const [first] = Errors(schema, value)
  return [{ code: 'declaration.invalid-value', at: [], detail: `The value ${first?.message ?? 'is not valid'}.` }]
}

function explain(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): void {
  if (typeof value === 'string' && hasPlaceholder(value)) {
    if (!takesText(schema)) found.push({ code: 'declaration.wrong-type', at, ...neverText(schema) })
    return
  }
  const meant = schema.anyOf ? branchOf(schema, value, at, found) : schema
  if (!meant) return
  tellShell(meant, value, at, found)
  if (isObject(value) && meant.type === 'object') {
    for (const [key, member] of Object.entries(value)) {
      const inner = memberOf(meant, key)
      if (inner && member !== undefined) explain(inner, member, [...at, key], found)
    }
  } else if (Array.isArray(value) && meant.items) {
    for (const [index, item] of value.entries()) explain(meant.items, item, [...at, index], found)
  }
}

function branchOf(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): SchemaView | undefined {
  const narrowed = narrow(schema, {
    shape: shapeOf(value),
    text: (key) => (isObject(value) && typeof value[key] === 'string' ? value[key] : undefined),
  })
  if (narrowed.type === 'branch') return narrowed.schema
  if (narrowed.type === 'shape') {
    found.push({
      code: 'declaration.wrong-type',
      at,
      ...wrongType(
        narrowed.shapes.map((shape) => shapeNames[shape]),
        value,
      ),
    })
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

/** What TypeBox says about this value alone, its members left out. */
function tellShell(schema: SchemaView, value: Json, at: NodePath, found: SchemaProblem[]): void {
  for (const { keyword, params } of Errors(shellOf(schema), value)) {
    const told = explanations[keyword]
    if (told) found.push(...told({ schema, value, at, params: params as Params }))
  }
}

function shellOf(schema: SchemaView): SchemaView {
  if (schema.type === 'array') return { ...schema, items: {} }
  if (schema.type !== 'object') return schema
  const anything = (members: SchemaView['properties']) =>
    members && { properties: Object.fromEntries(Object.keys(members).map((key) => [key, {}])) }
  const { patternProperties: _, ...shell } = schema
  return { ...shell, ...anything(schema.properties) }
}

function takesText(schema: SchemaView): boolean {
  return schema.anyOf?.some(takesText) ?? (schema.type === undefined || schema.type === 'string')
}
