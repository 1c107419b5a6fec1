// Converts path and query members, which are text, to numbers and booleans where the schema requires them. Conversion
// is strict: `1.5` is not the integer 1, the empty string is not 0, `0x10` is not a number, and `1` is not true.
import type { TSchema } from 'typebox'

/** Pattern of decimal numbers, including exponents. */
const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/

type Members = Record<string, unknown>

export interface FlatReader {
  /** Converts text where the schema requires a number or a boolean; other text is left for the validator. */
  prepare(value: unknown): unknown
  /** Removes members that the schema does not define. */
  finish(value: unknown): unknown
}

export function flatReader(schema: TSchema): FlatReader {
  const { properties = {} }: { readonly properties?: Readonly<Members> } = schema
  const names = Object.keys(properties)
  const numbers = names.filter((name) => wantsNumber(properties[name]))
  const booleans = names.filter((name) => Object(properties[name]).type === 'boolean')
  return {
    prepare(value) {
      const members: Members = { ...Object(value) }
      for (const name of numbers) {
        const text = members[name]
        if (typeof text === 'string' && decimal.test(text)) members[name] = Number(text)
      }
      for (const name of booleans) {
        if (members[name] === 'true' || members[name] === 'false') members[name] = members[name] === 'true'
      }
      return members
    },
    finish(value) {
      const members: Members = Object(value)
      const defined: Members = {}
      for (const name of names) if (members[name] !== undefined) defined[name] = members[name]
      return defined
    },
  }
}

function wantsNumber(schema: unknown): boolean {
  const { type, enum: members }: { readonly type?: unknown; readonly enum?: unknown } = Object(schema)
  if (type === 'integer' || type === 'number') return true
  return Array.isArray(members) && members.every((member) => typeof member === 'number')
}
