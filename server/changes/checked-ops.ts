// Ops of `doc.changes`, checked one by one: what is wrong with one refuses its change, not the request.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { closest } from '../../core/declaration/suggestions.js'
import { routeOps, wireOps } from '../../workers/contract/ops/index.js'
import { tellingError } from '../../workers/contract/telling-error.js'
import { invalidArg, Refusal } from '../errors.js'
import { type Cleaner, cleanerOf } from '../http/cleaner.js'
import { limits } from '../limits.js'
import type { Op } from './words.js'

interface OpReader {
  readonly schema: TSchema
  readonly validator: Validator
  readonly clean: Cleaner
}

/** Compiled when it is first asked for: there are many, and each takes a while. */
const readers = new Map<string, OpReader>()

function readerOf(type: string): OpReader | undefined {
  const known = readers.get(type)
  if (known) return known
  const shape = Object.entries(wireOps).find(([name]) => name === type)?.[1]
  if (shape === undefined) return undefined
  const reader = { schema: shape.op, validator: Compile<TSchema>(shape.op), clean: cleanerOf(shape.op) }
  readers.set(type, reader)
  return reader
}

/**
 * Throws `InvalidArg` with the position of the first invalid op, and `PayloadTooLarge` if a change exceeds its limits.
 */
export function checkedOps(ops: readonly Op[]): readonly Op[] {
  const { opsMax: max } = limits
  if (ops.length > max) {
    const details = { limit: 'opsMax', max, value: ops.length }
    throw new Refusal('PayloadTooLarge', `A change may have at most ${max} ops; this one has ${ops.length}`, {
      details,
    })
  }
  return ops.map((op, opIndex) => {
    const reader = readerOf(op.type)
    if (reader === undefined) throw invalidArg(unknownType(op.type), { opIndex, pointer: '/type' })
    if (!reader.validator.Check(op)) {
      const { pointer, message } = tellingError(reader.schema, op)
      throw invalidArg(`In op ${opIndex}, ${pointer === '' ? 'the op' : pointer} ${message}`, { opIndex, pointer })
    }
    return { ...Object(reader.clean(op)), type: op.type }
  })
}

function unknownType(type: string): string {
  const name = JSON.stringify(type)
  if (Object.hasOwn(routeOps, type)) return `${name} is no op of a change: it has a path of its own`
  const found = closest(type, Object.keys(wireOps))
  return found === undefined
    ? `There is no op ${name}`
    : `There is no op ${name}; did you mean ${JSON.stringify(found)}?`
}
