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

export async function findVersion(deployment: Pick<Deployment, 'tables'>, name: VersionName): Promise<NumberedVersion> {
  const version = await versionNamed(deployment, name)
  if (version === undefined) throw notFound('version')
  return version
}

async function versionNamed(
  { tables }: Pick<Deployment, 'tables'>,
  { tenant, document, sha256 }: VersionName,
): Promise<NumberedVersion | undefined> {
  const pointer = await tables.versionShas.get([tenant, document, sha256])
  const row = pointer && (await tables.versions.get([tenant, document, pointer.number]))
  return row && { ...row, number: pointer.number }
}

export interface NumberedVersion extends VersionRow {
  readonly number: number
}

export async function downloadVersion(sha256: string, context: DocumentContext): Promise<BytesAnswer> {
  const { blob } = await versionOf(sha256, context)
  return sendVersion(blob, context)
}

/**
 * Returns the version that a path names. Throws `NotFound`; and for callers who are shown less than earlier versions
 * contain `Forbidden`, whether there is such a version or not, because a hash that exists proves a guess of its content.
 */
export async function versionOf(sha256: string, context: DocumentContext): Promise<NumberedVersion> {
  const { deployment, tenant, document } = context
  const version = await versionNamed(deployment, { tenant: tenant.internal, document: document.internal, sha256 })
  const oldest = await oldestVersionFor(context)
  if (version !== undefined && version.number >= oldest) return version
  if (oldest === 1) throw notFound('version')
  throw forbidden('what it is shown was redacted, and there is no version of this hash since', {
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
