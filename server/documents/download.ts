// `documents.download`: sends the original bytes of the newest version, not the normalised copy.
import type { BytesAnswer, TenantContext } from '../operation/operation.js'
import { findDocument } from './find.js'
import { findVersion } from './find-version.js'
import { notReadable } from './not-readable.js'
import { sendBlob } from './send-blob.js'

export async function downloadDocument(id: string, context: TenantContext): Promise<BytesAnswer> {
  const { internal, row } = await findDocument(id, context)
  if (row.state !== 'ready' || row.headSha256 === null) throw notReadable(row)
  const owner = { tenant: context.tenant.internal, document: internal }
  const { blob } = await findVersion(context.deployment, { ...owner, sha256: row.headSha256 })
  const { name, sizeBytes, sha256 } = blob
  return sendBlob({ blob: { ...owner, name }, sizeBytes, sha256, fileName: `${row.id}.pdf` }, context)
}
