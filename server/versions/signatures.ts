// Signatures of a version and of a layer: lists, the CMS of one signature, and the digest that it is made over.

import { sendJson } from '../documents/send-json.js'
import { versionSnapshot } from '../documents/version-snapshot.js'
import { withVersion } from '../documents/version-source.js'
import { versionOf } from '../documents/versions.js'
import { viewOf } from '../documents/view.js'
import { type BytesAnswer, type DocumentContext, ReadyJson } from '../operation/operation.js'
import { decodeTokenText } from './token-text.js'

/** `doc.signatures.list`: of the bytes under the layer, with its edits as the last revision. */
export async function listLayerSignatures(context: DocumentContext): Promise<ReadyJson> {
  const { workers, trustRoots } = context.deployment
  const view = await viewOf(context)
  const isEdited = view.edits !== undefined && view.edits.count > 0
  if (!isEdited && view.version > 0) return listSignatures(await versionOf(view.base.sha256, context), context)
  return sendJson(context, { pins: ['docVersion'], parts: ['signatures'] }, (source) =>
    workers.runJson('signatures', { source, trustRoots }),
  )
}

export async function listVersionSignatures(sha: string, context: DocumentContext): Promise<ReadyJson> {
  return listSignatures(await versionOf(sha, context), context)
}

async function listSignatures(version: Parameters<typeof versionSnapshot>[0], context: DocumentContext) {
  const { bytes, etag } = await versionSnapshot(version, context)
  return new ReadyJson(bytes, etag)
}

interface SignaturePath {
  readonly sha: string
  /** Full name of the field, as `decodeTokenText` reads it. */
  readonly fieldKey: string
}

/** Sends the CMS of a signature as DER, without padding. */
export async function sendContents({ sha, fieldKey }: SignaturePath, context: DocumentContext): Promise<BytesAnswer> {
  const fieldName = decodeTokenText(fieldKey, 'field')
  const { bytes } = await withVersion(await versionOf(sha, context), context, (source) =>
    context.deployment.workers.run('signatureContents', { source, fieldName }),
  )
  return { contentType: 'application/pkcs7-signature', body: Buffer.from(bytes) }
}

export interface DigestPath extends SignaturePath {
  readonly algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512'
}

/** Sends the digest of the bytes that a signature covers, which a verifier of its CMS compares with the message digest. */
export async function sendDigest(path: DigestPath, context: DocumentContext): Promise<BytesAnswer> {
  const { sha, fieldKey, algorithm } = path
  const fieldName = decodeTokenText(fieldKey, 'field')
  const { bytes } = await withVersion(await versionOf(sha, context), context, (source) =>
    context.deployment.workers.run('signatureDigest', { source, fieldName, algorithm }),
  )
  return { contentType: 'application/octet-stream', body: Buffer.from(bytes) }
}
