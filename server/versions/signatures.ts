// `doc.signatures.list` and `doc.versions.signatures`: list the signature fields of a layer, or of a version.
import type { PdfSource } from '../../workers/messages/task.js'
import { cached } from '../documents/read.js'
import { withVersion } from '../documents/version-source.js'
import { withEditedSource } from '../documents/view.js'
import { type DocumentContext, ReadyJson } from '../operation/operation.js'

/** Sends the fields of a layer, whose edits are the last revision, as in its download. Throws `LayerMoved`. */
export async function sendLayerSignatures(context: DocumentContext): Promise<ReadyJson> {
  const { bytes, etag } = await cached(
    context,
    { pins: ['docVersion'], parts: ['signatures', ...roots(context)] },
    (view) => withEditedSource(view, context, (source) => snapshotOf(source, context)),
  )
  return new ReadyJson(bytes, etag)
}

/** Sends the fields of a version. The cache key has the trusted roots and the hour, because responses depend on them. */
export function sendVersionSignatures(sha: string, context: DocumentContext): Promise<ReadyJson> {
  return withVersion(sha, context, async (source) => {
    const key = { scope: [source.key], parts: ['signatures', ...roots(context)], account: '' }
    const { bytes, etag } = await context.deployment.caches.answers.get(key, () => snapshotOf(source, context))
    return new ReadyJson(bytes, etag)
  })
}

const hourMs = 60 * 60 * 1000

/** Trust depends on the roots, and on the time: a certificate expires. Without roots it depends on neither. */
const roots = ({ deployment: { trustRoots, clock } }: DocumentContext): readonly (string | number)[] =>
  trustRoots === undefined ? [] : [trustRoots.sha256, Math.floor(clock.now() / hourMs)]

async function snapshotOf(source: PdfSource, { deployment }: DocumentContext) {
  const { trustRoots, workers, clock } = deployment
  const { bytes } = await workers.runJson('signatures', {
    source,
    now: clock.now(),
    ...(trustRoots && { trustRoots }),
  })
  return { contentType: 'application/json; charset=utf-8', bytes }
}
