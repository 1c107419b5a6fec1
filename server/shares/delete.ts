// Deletes a share grant; exchanging its token then fails as for an unknown one.

import type { TenantContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import { transact } from '../storage/transaction.js'
import { shareKey } from './find.js'
import { removeShare } from './put-share.js'

export async function deleteShare(id: string, context: TenantContext): Promise<void> {
  const { deployment, tenant } = context
  await transact(deployment, async (transaction) => {
    const key = await shareKey(deployment, { id, tenant: tenant.internal })
    const row = await transaction.read(deployment.tables.shares.at(key))
    if (!row) throw notFound('share')
    await removeShare(transaction, context, { key, row })
  })
}
