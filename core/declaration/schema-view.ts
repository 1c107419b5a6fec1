// View of a schema for the declaration stage: plain JSON Schema members and the annotations of `plugin/schema.ts`.
import type { TSchema } from 'typebox'
import { isObject, type Json, type JsonObject } from '../value/tree.js'

export interface SchemaView extends TSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaView>>
  readonly patternProperties?: Readonly<Record<string, SchemaView>>
  readonly additionalProperties?: boolean | SchemaView
  readonly required?: readonly string[]
  readonly items?: SchemaView
  readonly anyOf?: readonly SchemaView[]
  /** Keys of a map of which exactly one is given: every branch requires one. */
  readonly oneOf?: readonly { readonly required: readonly string[] }[]
  /** Keys that have a meaning only beside others, with these. */
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly enum?: readonly string[]
  readonly const?: string
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  /** Documentation that does not fit into one sentence. */
  readonly 'x-details'?: string
  /** Other members of the body that an example of this member needs. */
  readonly 'x-with'?: JsonObject
  readonly 'x-secret'?: boolean
  readonly 'x-word'?: boolean
  readonly 'x-address'?: boolean
  readonly 'x-json'?: boolean
  readonly 'x-provider'?: boolean
  readonly 'x-per-provider'?: boolean
  readonly 'x-text-or-path'?: boolean
  readonly 'x-name-of'?: string
  readonly 'x-words'?: string
  readonly 'x-path'?: 'file' | 'folder'
  readonly 'x-must-hold'?: string
  readonly 'x-aliases'?: Readonly<Record<string, string>>
  readonly 'x-meant'?: Readonly<Record<string, string>>
  readonly 'x-refused'?: Readonly<Record<string, string>>
}

/** Returns the JSON Schema that a TypeBox type hides; every member is optional, so that reading one is safe. */
export function viewOf(schema: TSchema): SchemaView {
  return schema as SchemaView
}

/** Returns the schema of a member of an object or map, or undefined if the schema has none for it. */
export function memberOf(schema: SchemaView | undefined, key: string): SchemaView | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key]
  if (!schema?.patternProperties) return undefined
  const isOpen = schema.additionalProperties !== false
  return Object.entries(schema.patternProperties).find(([pattern]) => isOpen || new RegExp(pattern).test(key))?.[1]
}

export type Shape = 'text' | 'map' | 'list' | 'other'

export function shapeOf(value: Json): Shape {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return 'list'
  return isObject(value) ? 'map' : 'other'
}

/**
 * Union whose branches are distinguished by the type of the value, or by a member that is a constant in every branch.
 */
export interface DiscriminatedUnion {
  readonly shape: Shape
  /** Returns the text under a key of a map, in its canonical spelling if it has synonyms. */
  text(key: string, schema: SchemaView): string | undefined
}

export type NarrowedUnion =
  | { readonly type: 'branch'; readonly schema: SchemaView }
  /** No branch accepts a value of this type. */
  | { readonly type: 'shape'; readonly shapes: readonly Shape[] }
  /** The member that distinguishes the branches is missing or has an unknown value. */
  | { readonly type: 'word'; readonly key: string; readonly words: readonly string[] }

/**
 * Finds the branch of a union that a value was meant to match, so that problems are reported against that branch alone.
 */
export function narrow(schema: SchemaView, value: DiscriminatedUnion): NarrowedUnion {
  if (!schema.anyOf) return { type: 'branch', schema }
  const candidates = schema.anyOf.filter((branch) => shapeTaken(branch) === value.shape)
  const [first, ...others] = candidates
  if (!first) return { type: 'shape', shapes: [...new Set(schema.anyOf.map(shapeTaken))] }
  if (others.length === 0) return { type: 'branch', schema: first }
  const key = Object.keys(first.properties ?? {}).find((name) =>
    candidates.every((branch) => branch.properties?.[name]?.const !== undefined),
  )
  if (key === undefined) return { type: 'branch', schema: first }
  const member = first.properties?.[key]
  const word = member && value.text(key, member)
  const chosen = candidates.find((branch) => branch.properties?.[key]?.const === word)
  if (chosen) return { type: 'branch', schema: chosen }
  return { type: 'word', key, words: candidates.map((branch) => branch.properties?.[key]?.const ?? '') }
}

function shapeTaken(schema: SchemaView): Shape {
  if (schema.type === 'object') return 'map'
  if (schema.type === 'array') return 'list'
  return schema.type === 'string' || schema.enum !== undefined ? 'text' : 'other'
}
