// The row: everything that must survive a run for one resource, and the only durable data of the engine.

import { type Static, Type } from 'typebox'
import type { Address } from '../value/address.js'

/** A truncated keyed or plain hash of a leaf, see `core/state/hashes.ts`. Equal hashes mean equal values. */
const Hash = Type.String()

/**
 * Hashes of a leaf: one hash if the desired value equals the one observed after readiness, else the pair `[desired,
 * observed]`.
 */
const LeafHashes = Type.Union([Hash, Type.Tuple([Hash, Type.Union([Hash, Type.Null()])])])

const Operation = Type.Union([
  Type.Object({
    /**
     * A create is open. It is journaled before the call; while it is recorded, an object without a row may exist
     * remotely.
     */
    type: Type.Literal('create'),
    /** Nonce of the create, which is also the idempotency key if the provider supports one. */
    nonce: Type.String(),
    /** Start of the create by the provider's clock, if it was known. */
    startedAtMs: Type.Number(),
    /** Start of the last retry by a later run. */
    retriedAtMs: Type.Optional(Type.Number()),
  }),
  Type.Object({
    /** Parts are being written: hash of each whole desired part by its key. Finished parts are dropped one by one. */
    type: Type.Literal('parts'),
    pending: Type.Record(Type.String(), Hash),
  }),
  Type.Object({
    /** The object is written, and the provider is still checking it. */
    type: Type.Literal('readiness'),
    startedAtMs: Type.Number(),
  }),
  Type.Object({
    /** The object is being removed: if the next run finds it gone, this project has removed it. */
    type: Type.Literal('removal'),
  }),
  Type.Object({
    /** Facts that a removal needs and that are visible only while other objects exist. A later destroy uses them. */
    type: Type.Literal('cleanup'),
    facts: Type.Record(Type.String(), Type.String()),
  }),
])

/** Values by `address#output` that the row was applied with. */
const Inputs = Type.Record(Type.String(), Type.String())

export const Row = Type.Object(
  {
    /** Id at the provider; null while a create is open, and for kinds without a remote object. */
    id: Type.Union([Type.String(), Type.Null()]),
    /** API of the object. Absent: the provider's only API. */
    api: Type.Optional(Type.String()),
    /** Ownership. Absent: managed. External objects are verified and never changed. */
    ownership: Type.Optional(Type.Literal('external')),
    /** Target. Absent: the declaration has the default target. */
    target: Type.Optional(Type.Literal('pin')),
    /** Version of the handler's shape of leaves (`form`). Hashes of another version are not compared. */
    form: Type.Number(),
    leaves: Type.Record(Type.String(), LeafHashes),
    /** Paths of leaves whose value the provider did not apply although it accepted the request. */
    notTaken: Type.Optional(Type.Array(Type.String())),
    inputs: Type.Optional(Inputs),
    /** Outputs, without the id. */
    outputs: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Remote ids of inner objects by key. */
    parts: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Addresses, and settings in their form, that only sessions used at the last apply. */
    sessionUses: Type.Optional(Type.Array(Type.String())),
    /** Addresses that must be gone before this one is removed. */
    removeAfter: Type.Optional(Type.Array(Type.String())),
    /** Objects that were replaced but not removed yet. The inputs of each must outlive it. */
    deposed: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.String(), api: Type.Optional(Type.String()), inputs: Type.Optional(Inputs) },
          { additionalProperties: false },
        ),
      ),
    ),
    operation: Type.Optional(Operation),
  },
  { additionalProperties: false },
)
export type Row = Static<typeof Row>
export type Operation = Static<typeof Operation>
export type LeafHashes = Static<typeof LeafHashes>

/** Returns the addresses whose outputs the row's objects were applied with. */
export function inputsOf(row: Row | undefined): readonly Address[] {
  const inputs = [row?.inputs, ...(row?.deposed ?? []).map((old) => old.inputs)]
  const keys = inputs.flatMap((one) => Object.keys(one ?? {}))
  return [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('#'))))]
}
