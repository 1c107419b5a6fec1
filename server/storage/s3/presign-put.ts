// URLs to which clients upload directly.
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { PresignedUpload, PresignRequest } from '../blobs.js'
import type { ObjectName } from './connection.js'

/**
 * Signs a PUT of exactly so many bytes. Clients send no header of their own: `Host` and `Content-Length`, which are
 * signed, are sent by every client. With temporary credentials the URL may expire earlier, with them.
 */
export async function presignPut(
  client: S3Client,
  name: ObjectName,
  { sizeBytes, ttlSeconds }: PresignRequest,
): Promise<PresignedUpload> {
  const signedAtMs = Date.now()
  const command = new PutObjectCommand({ ...name, ContentLength: sizeBytes })
  const url = await getSignedUrl(client, command, { expiresIn: ttlSeconds, signingDate: new Date(signedAtMs) })
  return { url, headers: {}, expiresAtMs: signedAtMs + ttlSeconds * 1000 }
}
