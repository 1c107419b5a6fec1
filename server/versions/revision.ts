// `doc.versions.revision`: the bytes up to the end of a revision, which is the file as it was when the revision was saved.
import { sendVersion } from '../documents/find-version.js'
import { withVersion } from '../documents/version-source.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'

/** A file whose structure is not certain has a single revision. */
export function downloadRevision(
  { sha, index }: { readonly sha: string; readonly index: number },
  context: DocumentContext,
): Promise<BytesAnswer> {
  return withVersion(sha, context, async (source, blob) => {
    const { ends } = await context.deployment.workers.run('revisions', { source })
    const endByte = ends[index]
    if (endByte === undefined) throw notFound('revision')
    return sendVersion(blob, context, endByte)
  })
}
