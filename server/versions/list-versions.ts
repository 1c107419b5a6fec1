// `doc.versions.list`: lists the versions of a document that the caller may be given; the oldest of them has no parent.
import type { Static } from 'typebox'
import { notReadable } from '../documents/not-readable.js'
import { oldestVersionFor } from '../documents/oldest-version.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentVersions } from '../schemas/head.js'

export async function listVersions(context: DocumentContext): Promise<Static<typeof DocumentVersions>> {
  const { deployment, tenant, document, layer } = context
  const { headSha256, headVersion } = document.row
  if (headSha256 === null) throw notReadable(document.row)
  const oldest = await oldestVersionFor(context)
  // A hash of what was redacted would prove a guess of it.
  const head = headVersion < oldest && layer?.privateBase ? layer.privateBase.sha256 : headSha256
  const versions: Static<typeof DocumentVersions>['versions'] = []
  for await (const { key, row } of deployment.tables.versions.range([tenant.internal, document.internal])) {
    const [, , number] = key
    if (number < oldest) continue
    const { blob, producer, signingId, createdAt } = row
    const { sha256, sizeBytes: byteLength } = blob
    const parentSha256 = number > oldest ? row.parentSha256 : null
    versions.push({ sha256, byteLength, number, parentSha256, producer, signingId, createdAt })
  }
  return { head, versions }
}
