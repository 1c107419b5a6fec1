// Removes blobs written for a document after it was deleted, because its sweep may already have finished.
import type { Deployment } from '../operation/deployment.js'
import type { DocumentRow } from '../rows/document.js'
import type { Owner } from '../storage/large-values.js'
import { removeOrLeave } from '../storage/removals.js'

/** Removes the blobs of a deleted document and returns undefined; returns the row of any other. */
export async function removeLate(
  { tables, blobs, leases }: Pick<Deployment, 'tables' | 'blobs' | 'leases'>,
  { tenant, document }: Owner,
): Promise<DocumentRow | undefined> {
  const [owner, row] = await tables.getMany([tables.tenants.at([tenant]), tables.documents.at([tenant, document])])
  if (owner && owner.status !== 'deleting' && row && row.state !== 'deleting') return row
  await removeOrLeave(leases, () => blobs.removeAll({ tenant, document }))
  return undefined
}
