// The row: everything that must survive for one resource, and the only durable thing in the engine.

import { type Static, Type } from 'typebox'
import type { Address } from '../value/address.js'

/** A truncated keyed or plain hash of a leaf, see `core/state/hashes.ts`. Equal hashes mean equal values. */
const Hash = Type.String()

/** One hash when the desired value and the one observed after readiness agree, else the pair `[desired, observed]`. */
const LeafHashes = Type.Union([Hash, Type.Tuple([Hash, Type.Union([Hash, Type.Null()])])])

const Operation = Type.Union([
  Type.Object({
    /** Journaled before the call; while it is recorded, an object may exist remotely that no row knows. */
    type: Type.Literal('create'),
    /** Also the idempotency key, where the provider has one. */
    nonce: Type.String(),
    /** Start of the create by the provider's clock, if that was known. */
    startedAtMs: Type.Number(),
    /** Start of the last retry by a later run. */
    retriedAtMs: Type.Optional(Type.Number()),
  }),
  Type.Object({
    /** Parts being written: key to hash of the whole desired part. Finished parts are removed one by one. */
    type: Type.Literal('parts'),
    pending: Type.Record(Type.String(), Hash),
  }),
  Type.Object({
    /** The object is written, but the provider has not finished checking it. */
    type: Type.Literal('readiness'),
    startedAtMs: Type.Number(),
  }),
  Type.Object({
    /** The object is being removed: if the next run finds it gone, this project removed it. */
    type: Type.Literal('removal'),
  }),
  Type.Object({
    /** Facts for a removal that are visible only while other objects exist; a later destroy continues with them. */
    type: Type.Literal('cleanup'),
    facts: Type.Record(Type.String(), Type.String()),
  }),
])

/** `address#output` to the value it was applied with. */
const Inputs = Type.Record(Type.String(), Type.String())

export const Row = Type.Object(
  {
    /** Null while a create is open, and for kinds without an object at the provider. */
    id: Type.Union([Type.String(), Type.Null()]),
    /** Absent: the provider's only API. */
    api: Type.Optional(Type.String()),
    /** Absent: managed. External objects are verified and never changed. */
    ownership: Type.Optional(Type.Literal('external')),
    /** Absent: the declaration went here by the default target. */
    target: Type.Optional(Type.Literal('pin')),
    /** Version of the handler's shape of leaves; hashes of another version are not compared. */
    form: Type.Number(),
    leaves: Type.Record(Type.String(), LeafHashes),
    /** Paths of leaves whose value the provider accepted without applying it: it has another value than was sent. */
    notTaken: Type.Optional(Type.Array(Type.String())),
    inputs: Type.Optional(Inputs),
    /** Outputs besides the id. */
    outputs: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Keys of inner objects to their remote ids. */
    parts: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Addresses that only sessions use, as of the last apply. */
    sessionUses: Type.Optional(Type.Array(Type.String())),
    /** Addresses that must be gone before this one is removed. */
    removeAfter: Type.Optional(Type.Array(Type.String())),
    /** Objects replaced but not yet removed. The inputs of each must outlive it. */
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
