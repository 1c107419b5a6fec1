// Uploads a large file in parts, a few at a time. A failed upload is aborted, so that its parts occupy no space; after a
// crash, `Objects.abortUploads` does it.
import { type FileHandle, open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { limits } from '../../limits.js'
import { ObjectMissing, type ObjectName, type S3Connection } from './connection.js'

interface UploadedFile {
  readonly path: string
  readonly sizeBytes: number
}

/** Maximum number of parts that S3 accepts. */
const partsMax = 10_000

export async function uploadParts(connection: S3Connection, name: ObjectName, file: UploadedFile): Promise<void> {
  const { UploadId } = await connection.run((client, options) =>
    client.send(new CreateMultipartUploadCommand({ ...name, ContentType: 'application/octet-stream' }), options),
  )
  const upload = { ...name, UploadId }
  try {
    const Parts = await sendParts(connection, upload, file)
    await connection.run(
      (client, options) =>
        client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), options),
      limits.blobTransferMs,
    )
  } catch (error) {
    // The response of a successful completion may have been lost.
    if (await isComplete(connection, name, file)) return
    await connection
      .run((client, options) => client.send(new AbortMultipartUploadCommand(upload), options))
      .catch(() => {}) // The error above is the reason; the clean-up aborts it later.
    throw error instanceof ObjectMissing ? new Error('The upload was aborted by somebody else') : error
  }
}

interface UploadedPart {
  readonly ETag: string | undefined
  readonly PartNumber: number
}

async function sendParts(
  connection: S3Connection,
  upload: ObjectName & { readonly UploadId: string | undefined },
  { path, sizeBytes }: UploadedFile,
): Promise<UploadedPart[]> {
  const partBytes = Math.max(limits.blobPartBytes, Math.ceil(sizeBytes / partsMax))
  const count = Math.ceil(sizeBytes / partBytes)
  const parts: UploadedPart[] = []
  const file = await open(path, 'r')
  try {
    let next = 0
    const sendSome = async () => {
      while (next < count) {
        const index = next++
        const Body = await bytesOf(file, { from: index * partBytes, to: Math.min(sizeBytes, (index + 1) * partBytes) })
        const PartNumber = index + 1
        const { ETag } = await connection.run(
          (client, options) =>
            client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: Body.length }), options),
          limits.blobTransferMs,
        )
        parts.push({ ETag, PartNumber })
      }
    }
    const senders = Array.from({ length: limits.blobPartsAtOnce }, () =>
      sendSome().catch((error: unknown) => {
        next = count // The others end with their current part.
        throw error
      }),
    )
    const failed = (await Promise.allSettled(senders)).find((sender) => sender.status === 'rejected')
    if (failed) throw failed.reason
  } finally {
    await file.close()
  }
  return parts.sort((one, other) => one.PartNumber - other.PartNumber)
}

async function bytesOf(
  file: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at)
    if (bytesRead === 0) throw new Error('A file became shorter while it was uploaded')
    at += bytesRead
  }
  return bytes
}

async function isComplete(connection: S3Connection, name: ObjectName, { sizeBytes }: UploadedFile): Promise<boolean> {
  try {
    const { ContentLength } = await connection.run((client, options) =>
      client.send(new HeadObjectCommand(name), options),
    )
    return ContentLength === sizeBytes
  } catch {
    return false
  }
}
