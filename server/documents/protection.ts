// Protection of the version that a layer is over, as its signatures ask for it: recorded when the version was published,
// otherwise determined from its bytes.
import type { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import { withBlob } from './version-source.js'
import { viewOf } from './view.js'

/**
 * The bytes are those that were uploaded or signed, also where a repaired copy is read: a file must not become editable by
 * being damaged. A redacted layer has its own file. Throws `DocPasswordRequired` for a locked file without its password.
 */
export async function protectionOf(context: DocumentContext): Promise<DocumentProtection> {
  const { tenant, document, layer, deployment } = context
  const base = layer?.privateBase
  if (base) return determined(base, context)
  const { version } = await viewOf(context)
  const row = await deployment.tables.versions.get([tenant.internal, document.internal, version])
  if (!row) throw notFound('document')
  return row.protection ?? determined(row.blob, context)
}

async function determined(blob: Parameters<typeof withBlob>[0], context: DocumentContext): Promise<DocumentProtection> {
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
