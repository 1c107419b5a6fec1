// `documents.thumbnail`: sends the thumbnail, or the reason why there is none. A missing or damaged one is drawn again.
import { Readable } from 'node:stream'
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import type { Deployment } from '../operation/deployment.js'
import type { BytesAnswer, InternalRow, TenantContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { BlobMissing, type BlobName } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'
import { thumbnailNameOf } from '../storage/row-kinds.js'
import { refuseDamaged } from './damaged-file.js'
import { drawThumbnail } from './draw-thumbnail.js'
import { findDocument } from './find.js'
import { isWholePicture } from './whole-picture.js'

export async function sendThumbnail(id: string, context: TenantContext): Promise<BytesAnswer> {
  const { internal, row } = await findDocument(id, context)
  if (row.state !== 'ready' || row.thumbnail !== 'ready')
    throw unavailable(row.state === 'ready' || row.state === 'failed' ? row.thumbnail : 'pending')
  const { deployment, tenant } = context
  const blob = { tenant: tenant.internal, document: internal, name: thumbnailNameOf(row.headVersion) }
  if (!(await isWhole(blob, deployment))) {
    await deployment.leases.hold(documentLease(internal), () => redraw(id, context), context.signal())
  }
  return {
    contentType: 'image/webp',
    headers: { ETag: `"${row.headSha256}-thumbnail"` },
    body: Readable.from(deployment.blobs.read(blob), { objectMode: false }),
  }
}

async function isWhole(blob: BlobName, { blobs }: Pick<Deployment, 'blobs'>): Promise<boolean> {
  const size = await blobs.size(blob)
  try {
    return size !== undefined && size > 0 && (await isWholePicture(blobs.read(blob), size))
  } catch (error) {
    if (error instanceof BlobMissing) return false // Another process removed it.
    throw error
  }
}

/** Draws the thumbnail, unless another request drew it or deleted the document meanwhile. */
async function redraw(id: string, context: TenantContext): Promise<void> {
  const { deployment, tenant, log } = context
  const found = await findDocument(id, context)
  const owner = { tenant: tenant.internal, document: found.internal }
  const version = found.row.headVersion
  if (await isWhole({ ...owner, name: thumbnailNameOf(version) }, deployment)) return
  const read = readFileOf(found)
  const blob = { ...owner, name: read.name }
  refuseDamaged(blob, await deployment.blobs.size(blob), read.sizeBytes)
  log.warn({ document: found.internal }, 'the thumbnail is missing or damaged, and is drawn again')
  try {
    await drawThumbnail(deployment, { ...owner, ...read, version })
  } catch (error) {
    throw error instanceof JobRefusal ? unavailable('failed') : error
  }
}

function readFileOf({ row: { readBlob, readBytes } }: InternalRow<DocumentRow>) {
  if (readBlob === null || readBytes === null) throw unavailable('failed')
  return { name: readBlob, sizeBytes: readBytes }
}

const unavailable = (state: DocumentRow['thumbnail']) =>
  new Refusal('ThumbnailUnavailable', `There is no thumbnail: ${state}`, { details: { state } })
