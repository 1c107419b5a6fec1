// Versions of a document: immutable bytes named by their hash.
import type { Static } from 'typebox'
import { containsRedacted } from '../layers/redacted.js'
import type { Deployment } from '../operation/deployment.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { forbidden, notFound } from '../refusals/refusal.js'
import type { VersionRow } from '../rows/version.js'
import type { DocumentVersions } from '../schemas/head.js'
import { notReadable } from './not-readable.js'
import { sendBlob } from './send-blob.js'
import { withVersion } from './version-source.js'

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

export async function listVersions(context: DocumentContext): Promise<Static<typeof DocumentVersions>> {
  const { deployment, tenant, document } = context
  const head = document.row.headSha256
  if (head === null) throw notReadable(document.row)
  const versions: Static<typeof DocumentVersions>['versions'] = []
  for await (const { key, row } of deployment.tables.versions.range([tenant.internal, document.internal])) {
    const { blob, parentSha256, producer, signingId, createdAt } = row
    const { sha256, sizeBytes: byteLength } = blob
    versions.push({ sha256, byteLength, number: key[2], parentSha256, producer, signingId, createdAt })
  }
  return { head, versions }
}

export async function downloadVersion(sha256: string, context: DocumentContext): Promise<BytesAnswer> {
  const { blob } = await versionOf(sha256, context)
  return sendVersion(blob, context)
}

/** Sends the bytes up to the end of a revision: the file as it was when the revision was saved. */
export async function downloadRevision(
  { sha, index }: { readonly sha: string; readonly index: number },
  context: DocumentContext,
): Promise<BytesAnswer> {
  const { blob } = await versionOf(sha, context)
  const { workers } = context.deployment
  const { ends } = await withVersion({ blob }, context, (source) => workers.run('revisions', { source }))
  const endByte = ends[index]
  if (endByte === undefined) throw notFound('revision')
  return sendVersion(blob, context, endByte)
}

/** Refuses callers limited to a redacted layer: older versions still contain the redacted content. */
function refuseRedacted({ caller, layer }: DocumentContext, version: number): void {
  if (caller.kind === 'document' && layer && containsRedacted(layer, version))
    throw forbidden('its layer was redacted, and versions still contain the redacted content')
}

export async function versionOf(sha256: string, context: DocumentContext): Promise<VersionRow> {
  const { deployment, tenant, document } = context
  const version = await findVersion(deployment, { tenant: tenant.internal, document: document.internal, sha256 })
  refuseRedacted(context, version.number)
  return version
}

function sendVersion({ name, sizeBytes, sha256 }: VersionRow['blob'], context: DocumentContext, endByte?: number) {
  const { tenant, document } = context
  const blob = { tenant: tenant.internal, document: document.internal, name }
  const fileName = `${document.row.id}.pdf`
  return sendBlob({ blob, sizeBytes, sha256, fileName, ...(endByte === undefined ? {} : { endByte }) }, context)
}
