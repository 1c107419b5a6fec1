// Object numbers of the pages of a layer in display order: those of its version as ingest found them, until the layer has an order of its
// own. A locked document has no facts on disk: what is in it is read with the password of each request.
import type { DocumentContext } from '../operation/operation.js'
import { readCachedJson } from './read.js'

/** Throws `LayerMoved`. */
export async function pagesOf(context: DocumentContext): Promise<readonly number[]> {
  const { deployment, document, tenant, layer } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const version = layer?.version ?? document.row.headVersion
  const row = layer?.hasOwnLayout
    ? undefined
    : await deployment.tables.pageFacts.get([owner.tenant, owner.document, version])
  if (row) return (await deployment.pageFacts.load(owner, row)).pages.map(({ objectNumber }) => objectNumber)
  const { bytes } = await readCachedJson(context, { pins: ['layoutVersion'], parts: ['pages'] }, (source) =>
    deployment.workers.runJson('pages', { source }),
  )
  const numbers: readonly number[] = JSON.parse(Buffer.from(bytes).toString('utf8'))
  return numbers
}
