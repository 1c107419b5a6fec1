// Takes a grant back: from now on its token is as unknown as one that never was.
import type { TenantContext } from '../operation.js'
import { transact } from '../storage/transact.js'
import { findShare } from './find.js'

export async function deleteShare(id: string, { deployment, tenant }: TenantContext): Promise<void> {
  await transact(deployment.store, async () => {
    const stored = await findShare(deployment, { id, tenant: tenant.internal })
    return { commit: deployment.tables.shares.remove(stored), result: undefined }
  })
}
