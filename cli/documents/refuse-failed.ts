// A file that was stored and is no PDF that can be read: the server keeps a record of it, and the command must not end as
// if all were well.
import type { DocumentRecord } from './client.js'
import { documentsProblem } from './problems.js'

export function refuseFailed({ id, state, failureReason }: DocumentRecord, source: string): void {
  if (state !== 'failed') return
  const reason = failureReason ?? 'the server does not say why'
  throw documentsProblem('documents.not-taken', { detail: `${source} became ${id}, which failed: ${reason}.` })
}
