// Explains why a schema refused a value: the first mistake and its place. Of several alternatives, the value is
// compared with the one that was probably meant, and similar names are suggested. `agents.yaml` has an explainer of its
// own (core/declaration/schema-check.ts), which reports all mistakes at once, with codes and fixes, and whose texts may
// be variables without a value; a request gets the one sentence of its answer.
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import {
  isMembers,
  kindsOf,
  leafMessage,
  type Members,
  missingMessage,
  stepTo,
  unknownMessage,
} from './schema-error-messages.js'

export interface ErrorContext {
  /** JSON pointer to the wrong value. */
  readonly pointer: string
  /** Message, which continues the name of the value. */
  readonly message: string
}

export function explainSchemaError(schema: TSchema, value: unknown): ErrorContext {
  return wrongIn(schema, value, '') ?? { pointer: '', message: 'is not valid' }
}

function wrongIn(schema: unknown, value: unknown, pointer: string): ErrorContext | undefined {
  if (!isSchema(schema) || Check(schema, value)) return undefined
  const node: Members = { ...schema }
  // Recursive and combined schemas are explained only as a whole.
  if ('$ref' in node || '$defs' in node || 'allOf' in node) return errorOf(schema, value, pointer)
  if (Array.isArray(node.anyOf)) return wrongInUnion(node.anyOf, value, pointer)
  if (node.type === 'array' && Array.isArray(value)) return wrongInArray(schema, value, pointer)
  if (node.type === 'object' && isMembers(value)) return wrongInObject(node, value, { pointer })
  return { pointer, message: leafMessage(schema, value) }
}

/** Checks the members of an object. `alternatives`: members of other variants that might have been meant. */
function wrongInObject(
  node: Members,
  value: Members,
  { pointer, alternatives = [] }: { readonly pointer: string; readonly alternatives?: readonly Members[] },
): ErrorContext | undefined {
  const { properties, patternProperties, additionalProperties } = node
  const known: Members = isMembers(properties) ? properties : {}
  const patterns = Object.entries(Object(patternProperties))
  const memberSchema = (name: string): unknown =>
    Object.hasOwn(known, name) ? known[name] : patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
  const others = Object.keys(value).filter((name) => memberSchema(name) === undefined)
  const missing = missingIn(node, value)
  const [unknown] = others
  if (additionalProperties === false && unknown !== undefined) {
    return { pointer: pointer + stepTo(unknown), message: unknownIn(unknown, value, [known, ...alternatives]) }
  }
  if (missing.length > 0) return { pointer, message: missingMessage(missing, others) }
  return first(Object.entries(value), ([name, member]) => {
    const schema = memberSchema(name) ?? additionalProperties
    return wrongIn(schema, member, pointer + stepTo(name))
  })
}

function wrongInArray(schema: TSchema, value: readonly unknown[], pointer: string): ErrorContext | undefined {
  const { items, maxItems }: Members = { ...schema }
  // A list that is too long is refused without inspecting its elements.
  if (value.length > Number(maxItems)) return { pointer, message: leafMessage(schema, value) }
  const within = first([...value.entries()], ([place, element]) =>
    wrongIn(items, element, pointer + stepTo(`${place}`)),
  )
  return within ?? { pointer, message: leafMessage(schema, value) }
}

function wrongInUnion(branches: readonly unknown[], value: unknown, pointer: string): ErrorContext | undefined {
  const schemas = branches.filter(isSchema)
  const [meant, ...others] = schemas
    .filter((schema) => isOfKind(schema, value))
    .toSorted((a, b) => misfit(a, value) - misfit(b, value))
  if (meant === undefined) return { pointer, message: `must be ${kindsOf(schemas)}` }
  if (!isMembers(value)) return wrongIn(meant, value, pointer)
  const node: Members = { ...meant }
  if (!isMembers(node.properties)) return wrongKind(schemas, value, pointer) ?? wrongIn(meant, value, pointer)
  const alternatives = others.filter((other) => misfit(other, value) < contradiction).map(membersIn)
  return wrongKind(schemas, value, pointer) ?? wrongInObject(node, value, { pointer, alternatives })
}

/** Reports an unknown member; several variants of an object are treated as one object in the message. */
function unknownIn(name: string, value: Members, kinds: readonly [Members, ...Members[]]): string {
  const [meant, ...others] = kinds
  const other = others.find((kind) => Object.hasOwn(kind, name))
  if (other !== undefined) {
    const beside = Object.keys(value).filter((member) => Object.hasOwn(meant, member) && !Object.hasOwn(other, member))
    return `is not allowed beside ${beside.join(', ')}`
  }
  const known = [...new Set(kinds.flatMap((kind) => Object.keys(kind)))]
  return unknownMessage(name, { known, free: known.filter((member) => !(member in value)) })
}

const membersIn = (schema: TSchema): Members => {
  const { properties }: Members = { ...schema }
  return isMembers(properties) ? properties : {}
}

/**
 * Explains a value that matches no variant. Variants of objects are distinguished by a constant in a member that all of
 * them have.
 */
function wrongKind(schemas: readonly TSchema[], value: Members, pointer: string): ErrorContext | undefined {
  const kinds = schemas.flatMap((schema) => {
    const { properties }: Members = { ...schema }
    return isMembers(properties) ? [properties] : []
  })
  const [any = {}] = kinds
  const name = Object.keys(any).find((member) =>
    kinds.every((kind) => isMembers(kind[member]) && 'const' in kind[member]),
  )
  if (name === undefined || !(name in value)) return undefined
  const words = kinds.map((kind) => kind[name]).filter(isSchema)
  if (words.some((word) => Check(word, value[name]))) return undefined
  const allowed = words.map((word) => Object(word).const)
  return { pointer: pointer + stepTo(name), message: leafMessage({ enum: allowed }, value[name]) }
}

function isOfKind(schema: TSchema, value: unknown): boolean {
  const { type, anyOf }: Members = { ...schema }
  if (Array.isArray(anyOf)) return anyOf.some((one) => isSchema(one) && isOfKind(one, value))
  if (Array.isArray(value)) return type === 'array'
  if (typeof value === 'object' && value !== null) return type === 'object'
  return !('const' in schema) && (type === typeof value || (type === 'integer' && typeof value === 'number'))
}

/** Score that exceeds any number of members that do not match. */
const contradiction = 1_000

/**
 * Scores a variant: the more members match, the more likely it was meant; a contradicting constant outweighs them
 * all.
 */
function misfit(schema: TSchema, value: unknown): number {
  const { properties }: Members = { ...schema }
  if (!isMembers(value) || !isMembers(properties)) return 0
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name)).length
  const contradicting = Object.entries(properties).filter(
    ([name, member]) => isSchema(member) && 'const' in member && name in value && value[name] !== member.const,
  )
  return others + missingIn({ ...schema }, value).length + contradiction * contradicting.length
}

const missingIn = ({ required }: Members, value: Members): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => !Object.hasOwn(value, name)).map(String) : []

function errorOf(schema: TSchema, value: unknown, pointer: string): ErrorContext {
  const [error] = Errors(schema, value)
  return { pointer: pointer + (error?.instancePath ?? ''), message: error?.message ?? 'is not valid' }
}

function first<Entry>(
  entries: readonly Entry[],
  find: (entry: Entry) => ErrorContext | undefined,
): ErrorContext | undefined {
  for (const entry of entries) {
    const found = find(entry)
    if (found) return found
  }
  return undefined
}

const isSchema = (value: unknown): value is TSchema => isMembers(value)
