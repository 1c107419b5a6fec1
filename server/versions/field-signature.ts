// `doc.versions.signatureContents` and `doc.versions.signatureDigest`: send the CMS of the signature in a field, and
// the digest of the bytes that it covers.

import { withVersion } from '../documents/version-source.js'
import { tokenText } from '../http/token-text.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'

export const digestAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const

export interface NamedField {
  readonly sha: string
  /** Full name of the field, as `tokenText` decodes it. */
  readonly fieldKey: string
}

/** Throws `NotFound` if the field has no signature. */
export function sendSignatureContents({ sha, fieldKey }: NamedField, context: DocumentContext): Promise<BytesAnswer> {
  const fieldName = tokenText(fieldKey, 'field key')
  return withVersion(sha, context, async (source) => {
    const { bytes } = await context.deployment.workers.run('signatureContents', { source, fieldName })
    return { contentType: 'application/pkcs7-signature', body: bytes }
  })
}

/** Sends the digest. Throws `NotFound` if the field has no signature, or one that covers no bytes of the file. */
export function sendSignatureDigest(
  { sha, fieldKey, algorithm }: NamedField & { readonly algorithm: (typeof digestAlgorithms)[number] },
  context: DocumentContext,
): Promise<BytesAnswer> {
  const fieldName = tokenText(fieldKey, 'field key')
  return withVersion(sha, context, async (source) => {
    const { bytes } = await context.deployment.workers.run('signatureDigest', { source, fieldName, algorithm })
    return { contentType: 'application/octet-stream', body: bytes }
  })
}
