// Refuses a token from now on. What is known of it is its id; the row goes when the token would have expired anyway.
import type { Static } from 'typebox'
import { limits } from '../limits.js'
import type { TenantContext } from '../operation.js'
import type { RevocationRow } from '../rows/revocation.js'
import type { TokenRevoke } from '../schemas/token.js'
import { transact } from '../storage/transact.js'

export async function revokeToken(
  jti: string,
  { reason = null, expiresAtSeconds }: Static<typeof TokenRevoke>,
  { deployment, tenant }: TenantContext,
): Promise<void> {
  const { store, tables, clock, bus } = deployment
  const now = clock.now()
  const expiresAt = (expiresAtSeconds ?? Math.floor(now / 1000) + limits.revocationDefaultSeconds) * 1000
  await transact(store, async () => {
    const stored = await tables.revocations.find([tenant.internal, jti])
    const row: RevocationRow = { reason, expiresAt: Math.max(expiresAt, stored?.row.expiresAt ?? 0), createdAt: now }
    const commit = stored
      ? tables.revocations.replace(stored, row)
      : tables.revocations.create([tenant.internal, jti], row)
    return { commit, result: undefined }
  })
  bus.publish(`tenant:${tenant.internal}`)
}
