// `documents.commit`: the bytes are there, make a document of them. Asked again, it answers what the first time made.

import type { TenantContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { documentLease } from '../storage/removals.js'
import { uploadBlob } from './blob-names.js'
import { findDocument } from './find.js'
import { publishUpload } from './publish.js'

export async function commitDocument(id: string, sha256: string, context: TenantContext): Promise<DocumentRow> {
  const { deployment, tenant, signal } = context
  const wanted = sha256.toLowerCase()
  const { internal, row } = await findDocument(id, context)
  const named = row.state === 'ready' ? row.headSha256 : row.expected.sha256
  if (row.origin !== 'upload' || named !== wanted) throw mismatch()
  if (row.state !== 'pending') return row
  const name = { tenant: tenant.internal, document: internal, name: uploadBlob }
  // Two commits at once would look at the same file twice.
  return deployment.leases.hold(
    documentLease(internal),
    async () => {
      const sizeBytes = await deployment.blobs.size(name)
      if (sizeBytes === undefined) return withoutBytes(id, context)
      // The blob became visible only because size and hash were right.
      return publishUpload(deployment, {
        tenant: tenant.internal,
        document: internal,
        facts: { sizeBytes, sha256: wanted },
      })
    },
    signal(),
  )
}

/** Another commit may have looked at the bytes, and put them away, while this one waited. */
async function withoutBytes(id: string, context: TenantContext): Promise<DocumentRow> {
  const { row } = await findDocument(id, context)
  if (row.state !== 'pending') return row
  throw new Refusal('UploadMismatch', 'Nothing was uploaded yet')
}

const mismatch = () => new Refusal('UploadMismatch', 'The sha256 is not the one that init announced')
