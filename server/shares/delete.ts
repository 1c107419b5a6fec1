// Deletes a share grant; exchanging its token then fails as for an unknown one.

import type { TenantContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import { transact } from '../storage/transaction.js'
import { shareSlot } from './find.js'

export async function deleteShare(id: string, { deployment, tenant }: TenantContext): Promise<void> {
  await transact(deployment, async (transaction) => {
    const slot = await shareSlot(deployment, { id, tenant: tenant.internal })
    if (!(await transaction.read(slot))) throw notFound('share')
    transaction.remove(slot)
  })
}
