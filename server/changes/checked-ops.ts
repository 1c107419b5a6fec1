// Validates the ops of `doc.changes` one by one: an invalid op refuses its change, not the whole request.
import type { TSchema } from 'typebox'
import { closest } from '../../core/value/suggestions.js'
import { LazyCheck } from '../../workers/contract/lazy-check.js'
import { findOpContract, type Op, opContracts } from '../../workers/contract/ops/index.js'
import { explainSchemaError } from '../../workers/contract/schema-error.js'
import { type Cleaner, cleanerOf } from '../http/cleaner.js'
import { limits } from '../limits.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import type { RawOp } from './change-types.js'

class OpReader {
  readonly #check: LazyCheck
  #clean: Cleaner | undefined

  constructor(readonly schema: TSchema) {
    this.#check = new LazyCheck(schema)
  }

  isOp(value: unknown): value is Op {
    return this.#check.passes(value)
  }

  /** Removes members that the schema does not name. */
  clean(op: Op): Op {
    this.#clean ??= cleanerOf(this.schema)
    return this.#clean(op) as Op
  }
}

const batchable = opContracts.filter(({ isBatchable }) => isBatchable)
const readers: ReadonlyMap<string, OpReader> = new Map(batchable.map(({ type, op }) => [type, new OpReader(op)]))

/**
 * Validates ops. Throws `InvalidArg` with the position of the first invalid op, and `PayloadTooLarge` if a change
 * exceeds its limits.
 */
export function checkedOps(ops: readonly RawOp[]): readonly Op[] {
  const { opsMax: max } = limits
  if (ops.length > max) {
    const details = { limit: 'opsMax', max, value: ops.length }
    throw new Refusal('PayloadTooLarge', `A change may have at most ${max} ops; this one has ${ops.length}`, {
      details,
    })
  }
  return ops.map((op, opIndex) => {
    const reader = readers.get(op.type)
    if (reader === undefined) throw invalidArg(unknownType(op.type), { opIndex, pointer: '/type' })
    if (!reader.isOp(op)) {
      const { pointer, message } = explainSchemaError(reader.schema, op)
      throw invalidArg(`In op ${opIndex}, ${pointer === '' ? 'the op' : pointer} ${message}`, { opIndex, pointer })
    }
    return reader.clean(op)
  })
}

function unknownType(type: string): string {
  const name = JSON.stringify(type)
  if (findOpContract(type)) return `${name} is no op of a change: it has a path of its own`
  const found = closest(type, readers.keys())
  return found === undefined
    ? `There is no op ${name}`
    : `There is no op ${name}; did you mean ${JSON.stringify(found)}?`
}
