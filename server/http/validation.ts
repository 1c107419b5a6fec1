// Validates path, query and body against the schemas of an operation; handlers receive typed values.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { nulIn } from '../../workers/contract/nul.js'
import { type ErrorContext, explainSchemaError } from '../../workers/contract/schema-error.js'
import { invalidArg } from '../refusals/refusal.js'
import { bounded } from './bounded-json.js'
import { cleanerOf } from './cleaner.js'
import { flatReader } from './text-values.js'

type Part = 'path' | 'query' | 'body'

export interface Reader {
  /** Returns the validated value. Throws `InvalidArg` with the first invalid member. */
  read(value: unknown): unknown
}

export function readerOf(schema: TSchema | undefined, part: Part): Reader {
  if (schema === undefined) return { read: () => (part === 'body' ? undefined : {}) }
  // The validator is compiled at the first request, to keep the start of the server fast.
  let made: Validator | undefined
  // Paths and queries are flat text, so they skip the depth check of bodies.
  const { prepare, finish } = part === 'body' ? { prepare: bounded, finish: cleanerOf(schema) } : flatReader(schema)
  return {
    read(value) {
      const prepared = prepare(value)
      made ??= Compile(schema)
      const validator = made
      // A name with U+0000 in a path either matches nothing or is stored unchanged.
      const nul = part === 'path' ? undefined : nulIn(prepared)
      if (nul !== undefined)
        throw refusalAt(part, { pointer: nul, message: 'contains U+0000, which no text may contain' })
      if (!validator.Check(prepared)) throw refusal(schema, prepared, part)
      return finish(prepared)
    },
  }
}

const refusal = (schema: TSchema, value: unknown, part: Part) => refusalAt(part, explainSchemaError(schema, value))

function refusalAt(part: Part, { pointer, message }: ErrorContext) {
  const at = pointer === '' ? `the ${part}` : `${part} ${pointer}`
  return invalidArg(`In the request, ${at} ${message}`, { part, pointer })
}
