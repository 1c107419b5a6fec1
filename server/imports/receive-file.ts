// Stores the bytes of a source as a blob, if they are what was expected.
import type { OpenedFile } from '../operation/connections.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import { type BlobFacts, BlobMismatch, type BlobName, type Blobs } from '../storage/blobs.js'

/** Throws `UploadMismatch` for other bytes than expected. */
export async function receiveFile(
  blobs: Blobs,
  name: BlobName,
  { opened, expected }: { readonly opened: OpenedFile; readonly expected: DocumentRow['expected'] },
): Promise<BlobFacts> {
  const { sizeBytes, bytes } = opened
  const { sizeBytes: expectedBytes, sha256 } = expected
  if (expectedBytes !== null && expectedBytes !== sizeBytes) throw mismatch('sizeBytes')
  try {
    return await blobs.write(name, bytes, {
      sizeBytesMax: sizeBytes,
      sizeBytes,
      ...(sha256 === null ? {} : { sha256 }),
    })
  } catch (error) {
    if (error instanceof BlobMismatch) throw mismatch(error.subject)
    throw error
  }
}

export const mismatch = (subject: BlobMismatch['subject']) =>
  new Refusal('UploadMismatch', `The file at the source differs from expected.${subject}`)
