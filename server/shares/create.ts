// Creates a share grant. Its id is the public token; the grant is checked again at every exchange.
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { subjectOf } from '../auth/caller.js'
import { defaultLayer } from '../auth/claims.js'
import { limits } from '../limits.js'
import { accountOf } from '../operation/account.js'
import type { TenantContext } from '../operation/operation.js'
import { refuseMore } from '../operation/row-bounds.js'
import { notFound } from '../refusals/refusal.js'
import type { ShareRow } from '../rows/share.js'
import type { ShareCreate } from '../schemas/share.js'
import { newInternalId } from '../storage/internal-ids.js'
import { transact } from '../storage/transaction.js'
import { refuseUnknownScope } from '../tokens/issue.js'
import { refuseEarlyExpiry } from './expiry.js'
import { putShare } from './put-share.js'

const defaultTtlSeconds = 600

export async function createShare(request: Static<typeof ShareCreate>, context: TenantContext): Promise<ShareRow> {
  const { deployment, caller, tenant } = context
  const { tables, clock, passphrases } = deployment
  refuseUnknownScope(request.scope)
  refuseEarlyExpiry(request.expiresAt, clock.now())
  const passwordHash =
    typeof request.password === 'string' ? await passphrases.hash(request.password, accountOf(context)) : null
  const now = clock.now()
  const row: ShareRow = {
    id: `shr_${randomBytes(18).toString('base64url')}`,
    docId: request.docId,
    layerName: request.layerName ?? defaultLayer,
    scope: [...request.scope],
    ...(request.displayName === undefined ? {} : { displayName: request.displayName }),
    origins: request.origins ? [...request.origins] : null,
    passwordHash,
    sessionTtlSeconds: request.sessionTtlSeconds ?? defaultTtlSeconds,
    storedBytesMax: request.storedBytesMax ?? null,
    disabled: false,
    expiresAt: request.expiresAt ?? null,
    exchangeCount: 0,
    lastExchangedAt: null,
    createdBy: subjectOf(caller),
    createdAt: now,
    updatedAt: now,
  }
  return transact(deployment, async (transaction) => {
    const pointer = await transaction.read(tables.documentIds.at([request.docId]))
    if (pointer?.tenant !== tenant.internal) throw notFound('document')
    // A share of a document that is being deleted is refused.
    const document = await transaction.read(tables.documents.at([pointer.tenant, pointer.document]))
    if (!document || document.state === 'deleting') throw notFound('document')
    const key = [pointer.tenant, pointer.document, newInternalId(now)] as const
    const known = tables.shares.keys([pointer.tenant, pointer.document])
    await refuseMore(known, limits.sharesOfDocumentMax, fullOfShares)
    return putShare(transaction, context, { key, row })
  })
}

const fullOfShares = (count: number) => `The document has ${count} shares, which is the most; delete some first`
