// `documents.commit`: publishes a document from its uploaded bytes. Idempotent.

import type { TenantContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { documentLease } from '../storage/removals.js'
import { uploadBlob } from './blob-names.js'
import { findDocument } from './find.js'
import { publishUpload } from './publish.js'
import { receiveArrived } from './receive-upload.js'

export async function commitDocument(id: string, sha256: string, context: TenantContext): Promise<DocumentRow> {
  const { deployment, tenant, signal } = context
  const digest = sha256.toLowerCase()
  const { internal, row } = await findDocument(id, context)
  const named = row.uploaded?.sha256 ?? (row.state === 'ready' ? row.headSha256 : row.expected.sha256)
  if (row.origin !== 'upload' || named !== digest) throw mismatch()
  if (row.state !== 'pending') return row
  const name = { tenant: tenant.internal, document: internal, name: uploadBlob }
  // The lease keeps concurrent commits from inspecting the same file twice.
  return deployment.leases.hold(
    documentLease(internal),
    async () => {
      const sizeBytes = (await deployment.blobs.size(name)) ?? (await receiveWaiting(id, context))
      if (sizeBytes === undefined) return withoutBytes(id, context)
      // A visible blob has the announced size and hash.
      return publishUpload(deployment, {
        tenant: tenant.internal,
        document: internal,
        facts: { sizeBytes, sha256: digest },
      })
    },
    signal(),
  )
}

/** Takes over what the client uploaded directly, if the document still awaits it; returns its size. */
async function receiveWaiting(id: string, context: TenantContext): Promise<number | undefined> {
  const document = await findDocument(id, context)
  const { uploadExpiresAt, state } = document.row
  if (state !== 'pending') return undefined
  if (uploadExpiresAt !== null && uploadExpiresAt <= context.deployment.clock.now()) return undefined
  return (await receiveArrived(document, context))?.sizeBytes
}

/** Handles a missing upload, which another commit may have published in the meantime. */
async function withoutBytes(id: string, context: TenantContext): Promise<DocumentRow> {
  const { row } = await findDocument(id, context)
  if (row.state !== 'pending') return row
  throw new Refusal('UploadMismatch', 'No bytes have been uploaded yet')
}

const mismatch = () => new Refusal('UploadMismatch', 'The sha256 differs from the one announced by init')
