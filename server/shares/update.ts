// Changes a grant; tokens issued earlier remain valid until they expire.
import type { Static } from 'typebox'
import { accountOf } from '../operation/account.js'
import type { TenantContext } from '../operation/operation.js'
import { urgencyOf } from '../operation/urgency.js'
import { notFound } from '../refusals/refusal.js'
import type { ShareRow } from '../rows/share.js'
import type { ShareUpdate } from '../schemas/share.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { refuseUnknownScope } from '../tokens/issue.js'
import { refuseEarlyExpiry } from './expiry.js'
import { shareKey } from './find.js'
import { putShare } from './put-share.js'

export async function updateShare(
  id: string,
  { password, ...request }: Static<typeof ShareUpdate>,
  context: TenantContext,
): Promise<ShareRow> {
  const { deployment, tenant } = context
  const { clock, passphrases } = deployment
  if (request.scope) refuseUnknownScope(request.scope)
  const hash = typeof password === 'string' ? await passphrases.hash(password, accountOf(context)) : password
  const write = async (transaction: Transaction) => {
    const key = await shareKey(deployment, { id, tenant: tenant.internal })
    const before = await transaction.read(deployment.tables.shares.at(key))
    if (!before) throw notFound('share')
    refuseEarlyExpiry(request.expiresAt, before.createdAt)
    const row = { ...before, ...request, ...(hash === undefined ? {} : { passwordHash: hash }), updatedAt: clock.now() }
    return putShare(transaction, context, { key, before, row })
  }
  return transact(deployment, write, request.disabled === true ? urgencyOf(context) : {})
}
