// Gives a job what it needs beside the file to apply the rules of the analysis: all edits of the layer, and the references of its
// base. Only certified documents are guarded.
import type { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import type { PdfSource } from '../../workers/messages/task.js'
import { withReferences } from '../documents/stored-references.js'
import { type View, withEditedSource, withSource } from '../documents/view.js'
import type { DocumentContext } from '../operation/operation.js'

type Guard = Pick<DocumentProtection, 'enforced'>

/** The caller holds the lease of the document. */
export function withGuardedSource<Answer>(
  view: View,
  context: DocumentContext,
  guard: Guard,
  work: (source: PdfSource, referencesPath?: string) => Promise<Answer>,
): Promise<Answer> {
  if (guard.enforced === null) return withSource(view, context, work)
  return withEditedSource(view, context, (source) =>
    withGuardReferences(view, context, guard, (path) => work(source, path)),
  )
}

/** The caller holds the lease of the document. */
export async function withGuardReferences<Answer>(
  view: View,
  context: DocumentContext,
  { enforced }: Guard,
  work: (referencesPath?: string) => Promise<Answer>,
): Promise<Answer> {
  // Those of a document that needs a password are not stored, and a redaction leaves no signature.
  if (enforced === null || view.isLocked || view.version === 0) return work()
  const file = { tenant: view.tenant, document: view.document, name: view.blob, sizeBytes: view.sizeBytes }
  return withReferences(context, file, work, 'held')
}
