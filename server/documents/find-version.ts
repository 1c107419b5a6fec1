// Finds versions of a document, which are immutable bytes named by their hash, and sends them.
import type { Deployment } from '../operation/deployment.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { forbidden, notFound } from '../refusals/refusal.js'
import type { VersionRow } from '../rows/version.js'
import { oldestVersionFor } from './oldest-version.js'
import { sendBlob } from './send-blob.js'

export interface VersionName {
  readonly tenant: string
  readonly document: string
  readonly sha256: string
}

export async function findVersion(
  { tables }: Pick<Deployment, 'tables'>,
  { tenant, document, sha256 }: VersionName,
): Promise<NumberedVersion> {
  const pointer = await tables.versionShas.get([tenant, document, sha256])
  const row = pointer && (await tables.versions.get([tenant, document, pointer.number]))
  if (!row) throw notFound('version')
  return { ...row, number: pointer.number }
}

export interface NumberedVersion extends VersionRow {
  readonly number: number
}

export async function downloadVersion(sha256: string, context: DocumentContext): Promise<BytesAnswer> {
  const { blob } = await versionOf(sha256, context)
  return sendVersion(blob, context)
}

/**
 * Returns the version that a path names. Throws `NotFound`, and `Forbidden` for callers who are shown less than it
 * contains.
 */
export async function versionOf(sha256: string, context: DocumentContext): Promise<NumberedVersion> {
  const { deployment, tenant, document } = context
  const version = await findVersion(deployment, { tenant: tenant.internal, document: document.internal, sha256 })
  if (version.number >= (await oldestVersionFor(context))) return version
  throw forbidden('what it is shown was redacted, and this version still contains the redacted content', {
    needs: ['doc.unredacted'],
  })
}

/** Sends the blob of a version. `endByte`: end of the prefix to send; undefined = all of it. */
export function sendVersion(
  { name, sizeBytes, sha256 }: VersionRow['blob'],
  context: DocumentContext,
  endByte?: number,
) {
  const { tenant, document } = context
  const blob = { tenant: tenant.internal, document: document.internal, name }
  const fileName = `${document.row.id}.pdf`
  return sendBlob({ blob, sizeBytes, sha256, fileName, ...(endByte === undefined ? {} : { endByte }) }, context)
}
