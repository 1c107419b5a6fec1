// Refuses a stored file that is not a readable PDF: the server stores it all the same, but the command must not
// succeed.
import type { DocumentRecord } from './client.js'
import { documentsProblem } from './problems.js'

export function refuseFailed({ id, state, failureReason }: DocumentRecord, source: string): void {
  if (state !== 'failed') return
  const reason = failureReason ?? 'the server does not say why'
  throw documentsProblem('documents.not-taken', { detail: `${source} became ${id}, which failed: ${reason}.` })
}
