// `doc.versions.list`: lists the versions of a document.
import type { Static } from 'typebox'
import { notReadable } from '../documents/not-readable.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentVersions } from '../schemas/head.js'

export async function listVersions(context: DocumentContext): Promise<Static<typeof DocumentVersions>> {
  const { deployment, tenant, document } = context
  const head = document.row.headSha256
  if (head === null) throw notReadable(document.row)
  const versions: Static<typeof DocumentVersions>['versions'] = []
  for await (const { key, row } of deployment.tables.versions.range([tenant.internal, document.internal])) {
    const { blob, parentSha256, producer, signingId, createdAt } = row
    const { sha256, sizeBytes: byteLength } = blob
    versions.push({ sha256, byteLength, number: key[2], parentSha256, producer, signingId, createdAt })
  }
  return { head, versions }
}
