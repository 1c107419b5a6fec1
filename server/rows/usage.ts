// Rows of usage counters. Counters are sharded to reduce contention between requests of one tenant; reports add them
// up.
import { type Static, Type } from 'typebox'

/** Counters of one tenant, calendar month (`2026-11`, UTC) and shard. */
export const UsageRow = Type.Object({
  views: Type.Integer({ minimum: 0 }),
  uploads: Type.Integer({ minimum: 0 }),
})
export type UsageRow = Static<typeof UsageRow>

/** Sum of `storedBytes` of documents, except those being deleted. */
export const StorageRow = Type.Object({ bytes: Type.Integer() })
export type StorageRow = Static<typeof StorageRow>

/** Marks a token as counted as a view in a month. */
export const ViewRow = Type.Object({
  month: Type.String(),
  /** End of the month, milliseconds since 1970, after which the row is unused. */
  expiresAt: Type.Integer({ minimum: 0 }),
})
export type ViewRow = Static<typeof ViewRow>
