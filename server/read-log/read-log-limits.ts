// Limits of the log of reads.
const second = 1000
const minute = 60 * second

export const readLogLimits = {
  /** Rows of a document; the oldest make room. */
  rowsMax: 10_000,
  /** Requests of one kind by one reader within this time are one row. */
  joinedMs: 10 * minute,
  /** Pages that one row names; its count goes on. */
  pagesMax: 500,
  /** Time until rows are written. A process that is killed loses those of this time. */
  flushMs: 1 * second,
  retryMs: 10 * second,
  /** Entries in memory that later requests may join. */
  openEntriesMax: 10_000,
  /** Characters of the token of a share that identify it in the log: `shr_` and eight of twenty-four. */
  shareCharacters: 12,
} as const
