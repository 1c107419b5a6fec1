// Receives the bytes of an announced upload into their blob, with announced size and hash checked: from the request, or
// from what a client uploaded directly.
import type { InternalRow, TenantContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { type BlobFacts, BlobMismatch, BlobTooLarge } from '../storage/blobs.js'
import { uploadBlob } from './blob-names.js'

/** Throws `UploadMismatch` for other bytes than announced; no blob appears then. */
export async function receiveUpload(
  bytes: AsyncIterable<Uint8Array>,
  { internal, row }: InternalRow<DocumentRow>,
  { deployment: { blobs, config }, tenant }: TenantContext,
): Promise<BlobFacts> {
  const { sizeBytes, sha256 } = row.expected
  const name = { tenant: tenant.internal, document: internal, name: uploadBlob }
  try {
    return await blobs.write(name, bytes, {
      sizeBytesMax: Math.min(config.documentBytesMax, sizeBytes ?? config.documentBytesMax),
      ...(sizeBytes === null ? {} : { sizeBytes }),
      ...(sha256 === null ? {} : { sha256 }),
    })
  } catch (error) {
    if (error instanceof BlobMismatch)
      throw new Refusal('UploadMismatch', `${error.message}; init announced another value`)
    if (error instanceof BlobTooLarge && error.sizeBytesMax === sizeBytes) {
      throw new Refusal('UploadMismatch', `There are more than the ${sizeBytes} bytes that init announced`)
    }
    throw error
  }
}

/** A client that repeats init gets another URL each time, and may upload to all of them. */
const arrivedReadMax = 4

/**
 * Takes over what the client uploaded directly, if anything: its URL remains valid for a while, so the bytes are read
 * once, checked, and stored where no URL leads to. What is wrong is removed, and no more of it is read for one request
 * than `arrivedReadMax`. Throws `UploadMismatch` if everything that arrived is wrong.
 */
export async function receiveArrived(
  document: InternalRow<DocumentRow>,
  context: TenantContext,
): Promise<BlobFacts | undefined> {
  const { deployment, tenant } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const { sizeBytes } = document.row.expected
  let mismatch: Refusal | undefined
  let read = 0
  for await (const arrived of deployment.blobs.arrived?.(owner) ?? []) {
    context.signal().throwIfAborted()
    if (sizeBytes !== null && arrived.sizeBytes !== sizeBytes) {
      mismatch ??= new Refusal('UploadMismatch', `${arrived.sizeBytes} bytes arrived; init announced ${sizeBytes}`)
      await arrived.remove()
      continue
    }
    if (read >= arrivedReadMax) break
    read += 1
    try {
      const facts = await receiveUpload(arrived.read(), document, context)
      await arrived.remove()
      return facts
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The client may have uploaded again, to a URL of a repeated init.
      mismatch ??= error
      await arrived.remove()
    }
  }
  if (mismatch) throw mismatch
  return undefined
}
