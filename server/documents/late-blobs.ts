// Bytes that arrived for a document after it was deleted: its sweep, if it was faster, does not come back for them.
import type { Deployment } from '../operation/deployment.js'
import type { DocumentRow } from '../rows/document.js'
import type { Owner } from '../storage/large-values.js'
import { whileRemoving } from '../storage/removals.js'

/** Returns the row; undefined when the document is gone, with whatever was written for it. */
export async function removeLate(
  { tables, blobs, leases }: Pick<Deployment, 'tables' | 'blobs' | 'leases'>,
  { tenant, document }: Owner,
): Promise<DocumentRow | undefined> {
  const [owner, row] = await tables.getMany([tables.tenants.at([tenant]), tables.documents.at([tenant, document])])
  if (owner && owner.status !== 'deleting' && row && row.state !== 'deleting') return row
  await whileRemoving(leases, () => blobs.removeAll({ tenant, document }))
  return undefined
}
