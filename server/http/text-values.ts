// Text as the number a schema asks for. Strictly: `1.5` is not the integer 1, nothing is not 0, and `0x10` is no number.
import type { TSchema } from 'typebox'

/** As programs print numbers, exponents included. */
const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/

/** Members that are text where their schema wants a number, as numbers; whatever is not one is left for the check. */
export function numbersFromText(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { properties = {} }: { readonly properties?: Readonly<Record<string, unknown>> } = schema
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const isNumber = typeof member === 'string' && wantsNumber(properties[name]) && decimal.test(member)
      return [name, isNumber ? Number(member) : member]
    }),
  )
}

function wantsNumber(schema: unknown): boolean {
  const { type, enum: members }: { readonly type?: unknown; readonly enum?: unknown } = Object(schema)
  if (type === 'integer' || type === 'number') return true
  return Array.isArray(members) && members.every((member) => typeof member === 'number')
}
