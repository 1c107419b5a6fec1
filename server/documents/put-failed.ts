// Makes a document failed that never got a readable file. Its row is counted for its tenant, and removed after a day, so that
// whoever polls can read the reason and nobody fills the store with documents that are none.
import { limits } from '../limits.js'
import { recordEvent } from '../outbox/record-event.js'
import type { DocumentRow } from '../rows/document.js'
import { putReserved } from '../storage/stored-bytes.js'
import type { Tables } from '../storage/tables.js'
import type { Transaction } from '../storage/transaction.js'

interface Failing {
  readonly tenant: string
  readonly document: string
  /** Row as the transaction read it. */
  readonly row: DocumentRow
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Returns the row, and whether a webhook awaits the event. */
export async function putFailed(
  tables: Tables,
  transaction: Transaction,
  { tenant, document, row: before, reason, at }: Failing,
): Promise<{ readonly row: DocumentRow; readonly isAwaited: boolean }> {
  const row: DocumentRow = {
    ...before,
    state: 'failed',
    failureReason: reason,
    thumbnail: 'failed',
    uploadExpiresAt: at + limits.failedDocumentRetentionMs,
    updatedAt: at,
  }
  await putReserved(tables, transaction, { tenant, document, row }, limits.failedDocumentBytes)
  const isAwaited = await recordEvent(transaction, tables, {
    type: 'document.failed',
    tenant,
    document,
    order: row.auditId,
    at,
    docId: row.id,
    actor: row.createdBy,
    failureReason: reason,
  })
  return { row, isAwaited }
}
