// Refuses a token from now on. What is known of it is its id; the row goes when the token would have expired anyway.
import type { Static } from 'typebox'
import { limits } from '../limits.js'
import type { TenantContext } from '../operation.js'
import type { TokenRevoke } from '../schemas/token.js'
import { transact } from '../storage/transaction.js'
import { tenantTopic } from '../tenants/topic.js'

export async function revokeToken(
  jti: string,
  { reason, expiresAtSeconds }: Static<typeof TokenRevoke>,
  { deployment, tenant }: TenantContext,
): Promise<void> {
  const { tables, clock, bus } = deployment
  const now = clock.now()
  const expiresAt = (expiresAtSeconds ?? Math.floor(now / 1000) + limits.revocationDefaultSeconds) * 1000
  const slot = tables.revocations.at([tenant.internal, jti])
  await transact(deployment, async (transaction) => {
    const known = await transaction.read(slot)
    // Revoking again never shortens what was said before.
    transaction.put(slot, {
      reason: reason ?? null,
      expiresAt: Math.max(expiresAt, known?.expiresAt ?? 0),
      createdAt: now,
    })
  })
  bus.publish(tenantTopic(tenant.internal))
}
