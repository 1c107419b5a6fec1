// `documents.init`: announces an upload with its size and hash, and returns where to send the bytes.
import type { Static } from 'typebox'
import { limits } from '../limits.js'
import type { TenantContext } from '../operation/operation.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import type { DocumentInit, DocumentInitResult, Upload } from '../schemas/document.js'
import { describeDocument } from './describe.js'
import { type Announcement, announceDocument } from './new-document.js'

export async function initDocument(
  request: Static<typeof DocumentInit>,
  context: TenantContext,
): Promise<Static<typeof DocumentInitResult>> {
  const { tenant, deployment } = context
  const { documentBytesMax } = deployment.config
  if (request.contentLength > documentBytesMax) {
    throw new Refusal('PayloadTooLarge', `Document exceeds the limit of ${documentBytesMax} bytes`, {
      details: { limit: 'documentBytesMax', max: documentBytesMax, value: request.contentLength },
    })
  }
  if (request.uploadPreference === 'presigned' && deployment.blobs.presign === undefined) {
    throw invalidArg('The storage of this deployment does not support presigned uploads; use auto or proxy')
  }
  const ttlMs = request.uploadTtlSec === undefined ? limits.uploadTtlDefaultMs : Math.round(request.uploadTtlSec * 1000)
  const announced = await announceDocument(
    {
      origin: 'upload',
      docId: request.docId,
      metadata: request.metadata,
      idempotencyKey: request.idempotencyKey,
      reusesExisting: request.dedupMode === 'reuse-existing',
      sizeBytes: request.contentLength,
      sha256: request.contentSha256.toLowerCase(),
      ttlMs,
    },
    context,
  )
  const document = describeDocument(announced.document.row, tenant.row.id)
  if (announced.tag === 'deduped') return { tag: 'deduped', document }
  const prefersProxy = request.uploadPreference === 'proxy'
  return { tag: announced.tag, document, upload: await uploadOf(announced, { prefersProxy, ttlMs }, context) }
}

async function uploadOf(
  { document }: Announcement,
  { prefersProxy, ttlMs }: { readonly prefersProxy: boolean; readonly ttlMs: number },
  { deployment, tenant }: TenantContext,
): Promise<Static<typeof Upload>> {
  const { blobs } = deployment
  const { sizeBytes } = document.row.expected
  if (prefersProxy || blobs.presign === undefined || sizeBytes === null) {
    const url = `/v1/tenants/${tenant.row.id}/documents/${document.row.id}/upload-proxy`
    return { kind: 'proxy', url, key: document.row.id }
  }
  const owner = { tenant: tenant.internal, document: document.internal }
  const ttlSeconds = Math.floor(ttlMs / 1000)
  const { url, headers, expiresAtMs } = await blobs.presign(owner, { sizeBytes, ttlSeconds })
  const presigned = { url, headers: { ...headers }, method: 'PUT', expiresAt: expiresAtMs } as const
  return { kind: 'presigned', presigned, key: document.row.id }
}
