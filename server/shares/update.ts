// Changes a grant; tokens already given live until they expire.
import type { Static } from 'typebox'
import type { TenantContext } from '../operation.js'
import type { ShareRow } from '../rows/share.js'
import type { ShareUpdate } from '../schemas/share.js'
import { transact } from '../storage/transact.js'
import { refuseUnknownScope } from '../tokens/issue.js'
import { findShare } from './find.js'

export async function updateShare(
  id: string,
  { password, ...wish }: Static<typeof ShareUpdate>,
  { deployment, tenant }: TenantContext,
): Promise<ShareRow> {
  const { store, tables, clock, passphrases } = deployment
  if (wish.scope) refuseUnknownScope(wish.scope)
  const hash = typeof password === 'string' ? await passphrases.hash(password) : password
  return transact(store, async () => {
    const stored = await findShare(deployment, { id, tenant: tenant.internal })
    const row: ShareRow = {
      ...stored.row,
      ...wish,
      ...(hash === undefined ? {} : { passwordHash: hash }),
      updatedAt: clock.now(),
    }
    return { commit: tables.shares.replace(stored, row), result: row }
  })
}
