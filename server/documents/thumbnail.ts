// `documents.thumbnail`: while there is none, the answer says why.
import { Readable } from 'node:stream'
import { Refusal } from '../errors.js'
import type { BytesAnswer, TenantContext } from '../operation.js'
import { thumbnailName } from '../storage/row-kinds.js'
import { findDocument } from './find.js'

export async function sendThumbnail(id: string, context: TenantContext): Promise<BytesAnswer> {
  const { internal, row } = await findDocument(id, context)
  if (row.state !== 'ready' || row.thumbnail !== 'ready') {
    const state = row.state === 'ready' || row.state === 'failed' ? row.thumbnail : 'pending'
    throw new Refusal('ThumbnailUnavailable', `There is no thumbnail: ${state}`, { details: { state } })
  }
  const blob = { tenant: context.tenant.internal, document: internal, name: thumbnailName }
  const bytes = context.deployment.blobs.read(blob)
  return {
    contentType: 'image/webp',
    headers: { ETag: `"${row.headSha256}-thumbnail"` },
    body: Readable.from(bytes, { objectMode: false }),
  }
}
