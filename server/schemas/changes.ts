// Requests and responses of `doc.changes`.
import { type Static, type TSchema, Type } from 'typebox'
import { MergeConflicts } from '../../workers/contract/merge-conflict.js'
import { MutationMeta } from '../../workers/contract/mutation-meta.js'
import { opContracts } from '../../workers/contract/ops/index.js'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'
import { IdempotencyKey, Sha256 } from './ids.js'

const OpId = Type.String({
  pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharactersMax}}$`,
  description: `1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters, without a space`,
})

const types = opContracts.filter(({ isBatchable }) => isBatchable).map(({ type }) => type)

/** Members of an op other than its type are validated op by op: an invalid op refuses only its own change. */
const SomeOp = Type.Object(
  { type: Type.String() },
  { additionalProperties: true, description: `One of ${types.join(', ')}, with its members.` },
)

/** The change to undo may be named by an `Idempotency-Key`, which may contain spaces. */
const OfUndo = Type.Object({ opId: OpId, undoOf: IdempotencyKey }, strict)

/**
 * `more`: limit of ops, for the reference only: at run time a change above it is refused alone, not the whole
 * request.
 */
export function changeRequestOf<Op extends TSchema>(op: Op, more: { readonly maxItems?: number } = {}) {
  const OfOps = Type.Object({ opId: OpId, ops: Type.Array(op, more) }, strict)
  const entries = Type.Array(Type.Union([OfOps, OfUndo]), { minItems: 1, maxItems: limits.changesMax })
  return Type.Object({ changes: entries }, strict)
}

export const ChangeRequest = changeRequestOf(SomeOp)
export type ChangeRequest = Static<typeof ChangeRequest>
export type ChangeEntry = ChangeRequest['changes'][number]

const EngineError = Type.Object({
  name: Type.Literal('EngineError'),
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

const Refused = Type.Object({ opId: OpId, status: Type.Literal('refused'), error: EngineError })

const Merge = Type.Object(
  {
    auditId: Type.Integer({ minimum: 1, description: 'Audit id of the move' }),
    baseSha: Type.String({ ...Sha256, description: 'SHA-256 of the version that the layer is over now' }),
    ...MergeConflicts.properties,
  },
  { description: 'Present if the request moved the layer over the newest version of the document before its changes' },
)

/** Items of the ops, in their order; for an undo, items of its steps. */
export function changeResponseOf<Item extends TSchema>(item: Item) {
  const result = Type.Object({ items: Type.Array(item), meta: MutationMeta })
  const Applied = Type.Object({ opId: OpId, status: Type.Literal('applied'), result })
  return Type.Object({ changes: Type.Array(Type.Union([Applied, Refused])), merge: Type.Optional(Merge) })
}

export const ChangeResponse = changeResponseOf(Type.Object({ type: Type.String() }, { additionalProperties: true }))
