// What usage reports are made of. Counters are split over shards, so that two requests of one tenant seldom want to
// change the same row; a report adds them up.
import { type Static, Type } from 'typebox'

/** Of one tenant, calendar month (`2026-11`, UTC) and shard. */
export const UsageRow = Type.Object({
  views: Type.Integer({ minimum: 0 }),
  uploads: Type.Integer({ minimum: 0 }),
})
export type UsageRow = Static<typeof UsageRow>

/** Sum of `storedBytes` of documents, those that are being deleted left out. */
export const StorageRow = Type.Object({ bytes: Type.Integer() })
export type StorageRow = Static<typeof StorageRow>

/** This token was counted as a view in that month, and is not counted in it again. */
export const ViewRow = Type.Object({
  month: Type.String(),
  /** End of the month, milliseconds since 1970: from then on the row says nothing. */
  expiresAt: Type.Integer({ minimum: 0 }),
})
export type ViewRow = Static<typeof ViewRow>
