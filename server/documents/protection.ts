// Finds the protection of the version under a layer: as recorded when the version was published, otherwise read from its
// bytes.
import type { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { StoredBlob } from '../rows/version.js'
import { withBlob } from './version-source.js'
import { viewOf } from './view.js'

/**
 * Returns the protection. It reads the bytes that were uploaded or signed, even if pages are read from a repaired copy,
 * because damage must not make a file editable. A redacted layer has a file of its own. Throws `DocPasswordRequired`
 * for a locked file without its password.
 */
export async function protectionOf(context: DocumentContext): Promise<DocumentProtection> {
  const { tenant, document, layer, deployment } = context
  const base = layer?.privateBase
  if (base) return readProtection(base, context)
  const { version } = await viewOf(context)
  const row = await deployment.tables.versions.get([tenant.internal, document.internal, version])
  if (!row) throw notFound('document')
  return row.protection ?? readProtection(row.blob, context)
}

async function readProtection(blob: StoredBlob, context: DocumentContext): Promise<DocumentProtection> {
  const { document, deployment } = context
  const key = { scope: [document.internal, blob.sha256], parts: ['protection'], account: '' }
  const { bytes } = await deployment.caches.answers.get(key, () =>
    withBlob(blob, context, async (source) => ({
      contentType: 'application/json; charset=utf-8',
      bytes: (await deployment.workers.runJson('protection', { source })).bytes,
    })),
  )
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}
