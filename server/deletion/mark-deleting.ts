// Marks a tenant or document as deleted in one commit, which hides it from readers and blocks writers. The same commit
// records a sweep, which removes the data and resumes after a restart.
import type { Clock } from '../../core/ports/clock.js'
import { notFound } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { Key } from '../storage/keys.js'
import type { Storage } from '../storage/open-storage.js'
import { discountStored } from '../storage/stored-bytes.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { retireDocumentId, retireTenantIds } from './retirement.js'

export interface DeleteRequest {
  readonly storage: Pick<Storage, 'store' | 'tables' | 'leases'>
  readonly clock: Clock
}

export interface DocumentKey {
  readonly tenant: string
  readonly document: string
}

/**
 * Marks a tenant. Returns the keys of index rows that pointed to it, which are removed. Throws `NotFound` if it is
 * deleted or being deleted.
 */
export async function markTenantDeleting({ storage, clock }: DeleteRequest, tenant: string): Promise<readonly Key[]> {
  const { tables } = storage
  const mark = async (transaction: Transaction) => {
    const slot = tables.tenants.at([tenant])
    const row = await transaction.read(slot)
    if (!row || row.status === 'deleting') throw notFound('tenant')
    await retireTenantIds(tables, transaction, clock.now())
    transaction.put(slot, { ...row, status: 'deleting' })
    transaction.put(tables.sweeps.at([tenant]), { tenant, document: null, startedAt: clock.now() })
    return slot.indexes(row).map(({ key }) => key)
  }
  return transact(storage, mark, { isUrgent: true })
}

/** Marks a document, as `markTenantDeleting` does a tenant; `isMeant` is called with the current row. */
export async function markDocumentDeleting(
  { storage, clock }: DeleteRequest,
  { tenant, document }: DocumentKey,
  isMeant: (row: DocumentRow) => boolean = () => true,
): Promise<readonly Key[]> {
  const { tables } = storage
  const mark = async (transaction: Transaction) => {
    const slot = tables.documents.at([tenant, document])
    const row = await transaction.read(slot)
    if (!row || row.state === 'deleting' || !isMeant(row)) throw notFound('document')
    await retireDocumentId(tables, transaction, row.id, clock.now())
    await discountStored(tables, transaction, row, { tenant, document })
    transaction.put(slot, { ...row, state: 'deleting', updatedAt: clock.now() })
    transaction.put(tables.sweeps.at([document]), { tenant, document, startedAt: clock.now() })
    return slot.indexes(row).map(({ key }) => key)
  }
  return transact(storage, mark, { isUrgent: true })
}
