// `documents.uploadProxy`: streams the bytes of an announced upload into their blob. Bytes that do not match the
// announcement never become visible.

import type { InternalRow, TenantContext } from '../operation/operation.js'
import { invalidArg, notFound, Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { findDocument } from './find.js'
import { removeLate } from './late-blobs.js'
import { receiveUpload } from './receive-upload.js'

export async function uploadDocument(id: string, context: TenantContext): Promise<{ readonly sha256: string }> {
  const document = await findDocument(id, context)
  refuseUnawaited(document, context)
  for await (const part of context.parts()) {
    if (part.kind !== 'file' || part.name !== 'file') continue
    const { sha256 } = await receiveUpload(part.bytes, document, context)
    // If the document was deleted or expired meanwhile, the client must not be told that the bytes are stored.
    const { internal } = document
    const after = await removeLate(context.deployment, { tenant: context.tenant.internal, document: internal })
    if (!after) throw notFound('document')
    if (after.state === 'failed') throw notAwaiting()
    return { sha256 }
  }
  throw invalidArg('The multipart body has no file part named "file"')
}

function refuseUnawaited({ row }: InternalRow<DocumentRow>, { deployment }: TenantContext): void {
  const isOver = row.uploadExpiresAt !== null && row.uploadExpiresAt <= deployment.clock.now()
  if (row.state === 'pending' && row.origin === 'upload' && !isOver) return
  throw notAwaiting()
}

const notAwaiting = () => new Refusal('NotAwaitingUpload', 'The document is not waiting for an upload')
