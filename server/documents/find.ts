// Finds a document of the tenant by its public id. Throws `NotFound` for those of other tenants and those being
// deleted.

import type { InternalRow, TenantContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'

export async function findDocument(
  id: string,
  { deployment, tenant }: TenantContext,
): Promise<InternalRow<DocumentRow>> {
  const { tables } = deployment
  const pointer = await tables.documentIds.get([id])
  const row =
    pointer?.tenant === tenant.internal ? await tables.documents.get([pointer.tenant, pointer.document]) : undefined
  if (!pointer || !row || row.state === 'deleting') throw notFound('document')
  return { internal: pointer.document, row }
}
