// Objects whose unknown members are refused, so that a misspelt member is not silently ignored.
import type { TSchema } from 'typebox'

export const strict = { additionalProperties: false } as const

type Members = Readonly<Record<string, unknown>>

/**
 * Returns the written form of a schema that reads use. Objects with optional members are strict at every depth; objects
 * whose members are all required stay open, because a misspelt member is then a missing one.
 */
export function writtenForm<Schema extends TSchema>(schema: Schema): Schema {
  // The library stores optionality in a property beside the schema, which a spread would lose.
  const copy = Object.create(null, Object.getOwnPropertyDescriptors(schema))
  Object.setPrototypeOf(copy, Object.prototype)
  const { properties, required = [], items, anyOf }: Members = Object(schema)
  if (isMembers(properties)) {
    copy.properties = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, within(member)]))
    const isEveryRequired = Array.isArray(required) && required.length === Object.keys(properties).length
    if (!isEveryRequired) Object.assign(copy, strict)
  }
  if (items !== undefined) copy.items = within(items)
  if (Array.isArray(anyOf)) copy.anyOf = anyOf.map(within)
  return copy
}

const within = (schema: unknown): unknown => (isMembers(schema) ? writtenForm(schema) : schema)

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
