// Revokes a token by its id. The row is removed when no token of that id can be valid any more; an earlier
// `expiresAtSeconds` of the client has no effect.
import type { Static } from 'typebox'
import { limits } from '../limits.js'
import type { TenantContext } from '../operation/operation.js'
import { refuseMore } from '../operation/row-bounds.js'
import { urgencyOf } from '../operation/urgency.js'
import type { TokenRevoke } from '../schemas/token.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { transact } from '../storage/transaction.js'
import { revocationEnd } from './revoked-until.js'

export async function revokeToken(
  jti: string,
  { reason }: Static<typeof TokenRevoke>,
  { deployment, tenant, caller }: TenantContext,
): Promise<void> {
  const { tables, clock, bus, authenticator } = deployment
  const now = clock.now()
  const expiresAt = revocationEnd(now, { isOurs: authenticator.mintingSecret !== undefined })
  const slot = tables.revocations.at([tenant.internal, jti])
  await transact(
    deployment,
    async (transaction) => {
      const current = await transaction.read(slot)
      if (current === undefined && caller.kind !== 'api') {
        await refuseMore(tables.revocations.keys([tenant.internal]), limits.revocationsOfTenantMax, fullOfRevoked)
      }
      if (current && current.reason === (reason ?? null) && current.expiresAt >= expiresAt) return
      // A repeated revocation never shortens an earlier one.
      const until = Math.max(expiresAt + limits.revocationRenewedAfterMs, current?.expiresAt ?? 0)
      transaction.put(slot, { reason: reason ?? null, expiresAt: until, createdAt: now })
    },
    urgencyOf({ caller, tenant }),
  )
  bus.publish(tenantTopic(tenant.internal))
}

const fullOfRevoked = (count: number) =>
  `The tenant has ${count} revoked tokens, which is the most that its own tokens may add; the API token revokes more`
