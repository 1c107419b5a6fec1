// Signatures and protection of a version: a function of its bytes and of the trusted roots alone, so that it is cached for
// all layers and callers.
import type { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import type { JsonAnswer } from '../../workers/messages/json-answer.js'
import type { PdfSource } from '../../workers/messages/task.js'
import type { CachedAnswer } from '../caches/answer-cache.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { VersionRow } from '../rows/version.js'
import { withVersion } from './version-source.js'

export function versionSnapshot(version: Pick<VersionRow, 'blob'>, context: DocumentContext): Promise<CachedAnswer> {
  const { workers, trustRoots } = context.deployment
  return cachedOf(version, 'signatures', context, (source) => workers.runJson('signatures', { source, trustRoots }))
}

function cachedOf(
  version: Pick<VersionRow, 'blob'>,
  part: string,
  context: DocumentContext,
  read: (source: PdfSource) => Promise<Pick<JsonAnswer, 'bytes'>>,
): Promise<CachedAnswer> {
  const scope = [context.document.internal, version.blob.sha256]
  return context.deployment.caches.answers.get({ scope, parts: [part], account: '' }, async () => ({
    contentType: 'application/json; charset=utf-8',
    bytes: (await withVersion(version, context, read)).bytes,
  }))
}

/** Returns what the signatures under a layer allow to be written; null for a layer that a redaction has rewritten. */
export async function protectionOf(context: DocumentContext): Promise<DocumentProtection | null> {
  const { deployment, tenant, document, layer } = context
  if (layer?.privateBase) return null
  const number = layer?.version ?? document.row.headVersion
  const version = await deployment.tables.versions.get([tenant.internal, document.internal, number])
  if (!version) throw notFound('version')
  if (version.protection !== undefined) return version.protection
  const { bytes } = await cachedOf(version, 'protection', context, (source) =>
    deployment.workers.runJson('protection', { source }),
  )
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}
