// The pages of a version in display order, as ingest found them. A locked document has no facts on disk: what is in it is
// read with the password of each request.
import type { DocumentContext } from '../operation.js'
import { readOnce } from './read.js'

export interface PageName {
  readonly objectNumber: number
}

export async function pagesOf(context: DocumentContext): Promise<readonly PageName[]> {
  const { deployment, document, tenant } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const row = await deployment.tables.pageFacts.get([owner.tenant, owner.document, document.row.headVersion])
  if (row) return (await deployment.pageFacts.load(owner, row)).pages
  return readOnce(context, (source) => deployment.workers.run('pages', { source }))
}
