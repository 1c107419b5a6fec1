// `documents.uploadProxy`: the bytes of an announced upload, streamed into their blob. What does not match the
// announcement never becomes visible.
import { invalidArg, Refusal } from '../errors.js'
import type { BodyPart, Found, TenantContext } from '../operation.js'
import type { DocumentRow } from '../rows/document.js'
import { BlobMismatch, BlobTooLarge } from '../storage/blobs.js'
import { uploadBlob } from './blob-names.js'
import { findDocument } from './find.js'

export async function uploadDocument(id: string, context: TenantContext): Promise<{ readonly sha256: string }> {
  const document = await findDocument(id, context)
  refuseUnawaited(document, context)
  const { sha256, sizeBytes } = document.row.expected
  const { blobs, config } = context.deployment
  const name = { tenant: context.tenant.internal, document: document.internal, name: uploadBlob }
  const file = await filePart(context.parts())
  try {
    const stored = await blobs.write(name, file.bytes, {
      sizeBytesMax: Math.min(config.documentBytesMax, sizeBytes ?? config.documentBytesMax),
      ...(sizeBytes === null ? {} : { sizeBytes }),
      ...(sha256 === null ? {} : { sha256 }),
    })
    // Deleted meanwhile? Then nobody may be told that the bytes are kept.
    await findDocument(id, context)
    return { sha256: stored.sha256 }
  } catch (error) {
    if (error instanceof BlobMismatch) throw new Refusal('UploadMismatch', `${error.message}; init said otherwise`)
    if (error instanceof BlobTooLarge && error.sizeBytesMax === sizeBytes) {
      throw new Refusal('UploadMismatch', `There are more than the ${sizeBytes} bytes that init announced`)
    }
    throw error
  }
}

function refuseUnawaited({ row }: Found<DocumentRow>, { deployment }: TenantContext): void {
  const isOver = row.uploadExpiresAt !== null && row.uploadExpiresAt <= deployment.clock.now()
  if (row.state === 'pending' && row.origin === 'upload' && !isOver) return
  throw new Refusal('NotAwaitingUpload', 'The document is not waiting for an upload')
}

async function filePart(parts: AsyncIterable<BodyPart>): Promise<Extract<BodyPart, { kind: 'file' }>> {
  for await (const part of parts) if (part.kind === 'file' && part.name === 'file') return part
  throw invalidArg('The multipart body has no file part named "file"')
}
