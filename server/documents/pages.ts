// Object numbers of the pages of a layer in display order: those recorded at ingest, until the layer has its own order.
// For a locked document nothing is recorded; its pages are read with the password of each request.
import { versionPagesOf } from '../layers/version-pages.js'
import type { DocumentContext } from '../operation/operation.js'
import { readCachedJson } from './read.js'

/** Throws `LayerMoved`. */
export async function pagesOf(context: DocumentContext): Promise<readonly number[]> {
  const { deployment, document, tenant, layer } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const version = layer?.version ?? document.row.headVersion
  const recorded = layer?.hasOwnLayout ? undefined : await versionPagesOf(deployment, { owner, version })
  if (recorded) return recorded.numbers
  const { bytes } = await readCachedJson(context, { pins: ['layoutVersion'], parts: ['pages'] }, (source) =>
    deployment.workers.runJson('pages', { source }),
  )
  const numbers: readonly number[] = JSON.parse(Buffer.from(bytes).toString('utf8'))
  return numbers
}
