// Refusals of reads of a document that has no file: pending, failed or missing.
import { notFound, Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'

/** Returns the refusal. `row`: undefined if the document does not exist. */
export function notReadable(row: Pick<DocumentRow, 'state' | 'failureReason'> | undefined): Refusal {
  if (row?.state === 'pending') return new Refusal('NotFound', 'The document is pending: its file is not complete yet')
  if (row?.state === 'failed')
    return new Refusal('NotFound', `The document is failed: ${row.failureReason ?? 'unknown'}`)
  return notFound('document')
}
