// `doc.versions.revision`: sends the bytes up to the end of a revision: the file as that revision left it.
import { sendVersion } from '../documents/find-version.js'
import { withVersion } from '../documents/version-source.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'

/**
 * Sends the revision. If the structure of the file is ambiguous, only the first one exists; others throw `NotFound`.
 */
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
