// Checks path, query and body against the schemas of an operation, once, at the edge; behind it everything is typed.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Clean } from 'typebox/value'
import { invalidArg } from '../errors.js'
import { tellingError } from './telling-error.js'
import { numbersFromText } from './text-values.js'

type Part = 'path' | 'query' | 'body'

export interface Reader {
  /** The value as its schema describes it. Throws `InvalidArg` that names the first member that is wrong. */
  read(value: unknown): unknown
}

export function readerOf(schema: TSchema | undefined, part: Part): Reader {
  if (schema === undefined) return { read: () => (part === 'body' ? undefined : {}) }
  const validator = Compile(schema)
  // Paths and queries are text.
  const prepare = part === 'body' ? (value: unknown) => value : (value: unknown) => numbersFromText(schema, value)
  return {
    read(value) {
      const prepared = prepare(value)
      if (!validator.Check(prepared)) throw refusal(validator, prepared, part)
      // Members a loose schema does not know are dropped, so that handlers and stored rows never meet them.
      return Clean(schema, prepared)
    },
  }
}

function refusal(validator: Validator, value: unknown, part: Part) {
  const { pointer, message } = tellingError(validator.Errors(value))
  const at = pointer === '' ? `the ${part}` : `${part} ${pointer}`
  return invalidArg(`In the request, ${at} ${message}`, { part, pointer })
}
