// Counts the rows of a change, signing or move, which their audit row stands for: they are written in its commit.
import { limits } from '../limits.js'
import type { AuditRow } from '../rows/audit.js'

/** Returns the row with the bytes that are counted for it, beside those of its content. */
export const countedAudit = (row: AuditRow): AuditRow => ({
  ...row,
  rowsBytes: Buffer.byteLength(JSON.stringify({ ...row, content: null })) + limits.changeRowsBytes,
})
