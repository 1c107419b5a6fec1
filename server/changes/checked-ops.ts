// Validates the ops of `doc.changes` one by one: an invalid op refuses its change, not the whole request.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { closest } from '../../core/value/suggestions.js'
import { findOpContract, type Op, opContracts } from '../../workers/contract/ops/index.js'
import { tellingError } from '../../workers/contract/telling-error.js'
import { type Cleaner, cleanerOf } from '../http/cleaner.js'
import { limits } from '../limits.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import type { RawOp } from './change-types.js'

interface OpReader {
  readonly schema: TSchema
  readonly isOp: (value: unknown) => value is Op
  readonly clean: Cleaner
}

/** Validators by op type, compiled on first use: compiling all of them at start is slow. */
const readers = new Map<string, OpReader>()

function readerOf(type: string): OpReader | undefined {
  const known = readers.get(type)
  if (known) return known
  const contract = findOpContract(type)
  if (!contract?.isBatchable) return undefined
  const schema: TSchema = contract.op
  const validator = Compile(schema)
  const reader = { schema, isOp: (value: unknown): value is Op => validator.Check(value), clean: cleanerOf(schema) }
  readers.set(type, reader)
  return reader
}

/**
 * Throws `InvalidArg` with the position of the first invalid op, and `PayloadTooLarge` if a change exceeds its limits.
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
    const reader = readerOf(op.type)
    if (reader === undefined) throw invalidArg(unknownType(op.type), { opIndex, pointer: '/type' })
    if (!reader.isOp(op)) {
      const { pointer, message } = tellingError(reader.schema, op)
      throw invalidArg(`In op ${opIndex}, ${pointer === '' ? 'the op' : pointer} ${message}`, { opIndex, pointer })
    }
    // Cleaning only drops members that the schema does not name.
    return reader.clean(op) as Op
  })
}

const batchable = opContracts.filter(({ isBatchable }) => isBatchable).map(({ type }) => type)

function unknownType(type: string): string {
  const name = JSON.stringify(type)
  if (findOpContract(type)) return `${name} is no op of a change: it has a path of its own`
  const found = closest(type, batchable)
  return found === undefined
    ? `There is no op ${name}`
    : `There is no op ${name}; did you mean ${JSON.stringify(found)}?`
}
