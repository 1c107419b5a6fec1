// Opens the bytes of a version as they were uploaded or signed, instead of the working copy that pages are read from.
import type { PdfSource } from '../../workers/messages/task.js'
import type { DocumentContext } from '../operation/operation.js'
import type { StoredBlob } from '../rows/version.js'
import { versionOf } from './find-version.js'
import { viewOf, withSource } from './view.js'

/** Opens a version by its hash. Throws `NotFound`, and `Forbidden` for callers limited to a redacted layer. */
export async function withVersion<Answer>(
  sha256: string,
  context: DocumentContext,
  work: (source: PdfSource, blob: StoredBlob) => Promise<Answer>,
): Promise<Answer> {
  const { blob } = await versionOf(sha256, context)
  return withBlob(blob, context, (source) => work(source, blob))
}

/** Opens a blob of the document without edits of any layer. */
export async function withBlob<Answer>(
  { name, sizeBytes, sha256 }: StoredBlob,
  context: DocumentContext,
  work: (source: PdfSource) => Promise<Answer>,
): Promise<Answer> {
  const view = await viewOf(context)
  const bytes = { blob: name, sizeBytes, edits: undefined, promoted: [], key: `${view.document}/bytes/${sha256}` }
  return withSource({ ...view, ...bytes }, context, work)
}
