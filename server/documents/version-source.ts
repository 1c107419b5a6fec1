// The file of a version for a job: its bytes as they were published, without repair and without edits.
import type { PdfSource } from '../../workers/messages/task.js'
import type { DocumentContext } from '../operation/operation.js'
import type { VersionRow } from '../rows/version.js'
import { baseOf, viewOf, withSource } from './view.js'

export async function withVersion<Answer>(
  { blob }: Pick<VersionRow, 'blob'>,
  context: DocumentContext,
  work: (source: PdfSource) => Promise<Answer>,
): Promise<Answer> {
  const { name, sizeBytes, sha256 } = blob
  const view = {
    ...baseOf(await viewOf(context)),
    blob: name,
    sizeBytes,
    key: `${context.document.internal}/${sha256}`,
  }
  return withSource({ ...view, promoted: [] }, context, work)
}
