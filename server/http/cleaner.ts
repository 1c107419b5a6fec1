// Removes read-only members, and members that a loose schema does not define, from values validated against it. The
// rules of a schema are computed once: the library sorts every union for each value, which costs more than the rest of
// a write.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Clean } from 'typebox/value'
import { isReadOnly } from '../../workers/contract/read-only.js'

/** Returns a validated value without members that its schema does not define. Does not modify the argument. */
export type Cleaner = (value: unknown) => unknown

type Members = Readonly<Record<string, unknown>>

/** Undefined = values of this schema never need cleaning. */
type Step = Cleaner | undefined

export function cleanerOf(schema: TSchema): Cleaner {
  return stepOf(schema) ?? same
}

const same: Cleaner = (value) => value

function stepOf(schema: unknown): Step {
  if (!isMembers(schema)) return undefined
  const { type, properties, patternProperties, items, anyOf } = schema
  // Recursive and combined schemas are left to the library.
  if ('$ref' in schema || '$defs' in schema || 'allOf' in schema)
    return (value) => Clean(schema, structuredClone(value))
  if (Array.isArray(anyOf)) return stepOfUnion(anyOf)
  if (isMembers(patternProperties)) return stepOfRecord(patternProperties)
  if (type === 'array' || items !== undefined) return stepOfArray(items)
  return isMembers(properties) ? stepOfObject(properties, schema.additionalProperties) : undefined
}

function stepOfObject(properties: Members, additional: unknown): Step {
  const members = Object.entries(properties)
  const ignored = new Set(members.filter(([, schema]) => isReadOnly(schema)).map(([name]) => name))
  const steps = new Map(members.map(([name, schema]) => [name, stepOf(schema)]))
  const isClosed = additional === false
  if (isClosed && ignored.size === 0 && [...steps.values()].every((step) => step === undefined)) return undefined
  // A closed schema has no extra members after validation; an explicitly open one keeps them.
  const keepsAll = isClosed || additional === true || isMembers(additional)
  const other = stepOf(additional)
  return (value) => {
    if (!isMembers(value)) return value
    const known: [string, unknown][] = []
    for (const [name, member] of Object.entries(value)) {
      if (ignored.has(name)) continue
      if (steps.has(name)) known.push([name, cleaned(steps.get(name), member)])
      else if (keepsAll) known.push([name, cleaned(other, member)])
    }
    return Object.fromEntries(known)
  }
}

function stepOfRecord(patterns: Members): Step {
  const [schema] = Object.values(patterns)
  const step = stepOf(schema)
  if (step === undefined) return undefined
  return (value) =>
    isMembers(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(step, member)]))
      : value
}

function stepOfArray(items: unknown): Step {
  const steps: readonly Step[] = Array.isArray(items) ? items.map(stepOf) : [stepOf(items)]
  if (steps.every((step) => step === undefined)) return undefined
  const stepAt = (place: number) => (Array.isArray(items) ? steps[place] : steps[0])
  return (value) =>
    Array.isArray(value) ? value.map((element: unknown, place) => cleaned(stepAt(place), element)) : value
}

interface Variant {
  readonly step: Step
  readonly isOfArrays: boolean
  readonly members: number
  accepts(value: unknown): boolean
}

/** Uses the first variant that accepts the value, tried by descending number of members. */
function stepOfUnion(schemas: readonly unknown[]): Step {
  const variants = schemas.filter(holdsOthers).map(variantOf)
  if (variants.every(({ step }) => step === undefined)) return undefined
  const sorted = variants.toSorted((one, other) => other.members - one.members)
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const candidates = sorted.filter(({ isOfArrays }) => isOfArrays === Array.isArray(value))
    const found = candidates.length === 1 ? candidates[0] : candidates.find(({ accepts }) => accepts(value))
    return cleaned(found?.step, value)
  }
}

/** True for schemas of objects and arrays, false for those of scalars. */
function holdsOthers(schema: unknown): schema is TSchema {
  return isMembers(schema) && !('const' in schema) && !('enum' in schema) && !plain.has(String(schema.type))
}

const plain: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

function variantOf(schema: TSchema): Variant {
  let validator: Validator | undefined
  const { type, properties }: { readonly type?: unknown; readonly properties?: unknown } = schema
  const constants = constantsOf(properties)
  return {
    step: stepOf(schema),
    isOfArrays: type === 'array',
    members: Object.keys(Object(properties)).length,
    accepts(value) {
      // Constant members distinguish most variants; validators of the rest are compiled on first use.
      if (isMembers(value) && constants.some(([name, constant]) => value[name] !== constant)) return false
      validator ??= Compile(schema)
      return validator.Check(value)
    },
  }
}

function constantsOf(properties: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(Object(properties)).flatMap(([name, schema]) =>
    isMembers(schema) && 'const' in schema && isMembers(properties) && isNeeded(schema) ? [[name, schema.const]] : [],
  )
}

/** True for required members: TypeBox marks optional ones with a `~optional` member of the schema. */
const isNeeded = (schema: Members): boolean => !('~optional' in schema)

const cleaned = (step: Step, value: unknown): unknown => (step === undefined ? value : step(value))

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
