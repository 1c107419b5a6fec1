// Refuses to sign edits that the signatures of the version forbid. They were made before the version was signed, and a
// merge moved them over it; later edits were judged when they were written.
import { JobRefusal } from '../contract/job-refusal.js'
import { type DocumentProtection, restraintText } from '../contract/signatures/protection.js'
import { analyseChanges } from '../signatures/analysis/analyse-changes.js'
import type { StrictDocument } from '../strict-reader/strict-document.js'

/** Throws `ProtectedDocument` if one of the edits is forbidden. The edits of the layer are the last revision. */
export function refuseForbiddenEdits(document: StrictDocument, protection: DocumentProtection | null): void {
  const last = document.revisions.length - 1
  const { current, verdict } = analyseChanges({ document, since: { revision: last - 1 }, until: last })
  if (verdict !== 'forbidden') return
  const { rule, objectNumber } = current.primary ?? {}
  const by = protection?.enforcedBy
  throw new JobRefusal(
    'ProtectedDocument',
    `${restraintText(by)} forbids edits that the layer has from before the document was signed; sign another layer`,
    { rule, objectNumber, ...(by && { by }) },
  )
}
