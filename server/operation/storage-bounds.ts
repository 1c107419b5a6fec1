// Bounds of what tenants, shares and document tokens store: checked before anything is written, counted in the transaction
// that stores it. A full one is told so, and others go on.
import { credentialKeyOf } from '../auth/caller-key.js'
import { Refusal } from '../refusals/refusal.js'
import type { StoredByRow } from '../rows/stored-by.js'
import type { Config } from '../settings/config.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import type { DocumentContext, TenantContext } from './operation.js'

type Bound = 'tenantBytesMax' | 'shareBytesMax' | 'tokenBytesMax'

const whose: Readonly<Record<Bound, string>> = {
  tenantBytesMax: 'The tenant stores',
  shareBytesMax: 'The sessions of this share have stored',
  tokenBytesMax: 'This token has stored',
}

/** Refusal for want of room; the request succeeds once there is some, so that it is not remembered. */
export class StorageFull extends Refusal {
  constructor(limit: Bound, { max, value }: { readonly max: number; readonly value: number }) {
    const details = { limit, max, value }
    super('PayloadTooLarge', `${whose[limit]} as much as it may: with this request ${value} of ${max} bytes`, {
      details,
    })
  }
}

/** Returns the setting; undefined = unlimited. */
export const boundOf = (config: Config, bound: Bound): number | undefined =>
  config[bound] === 0 ? undefined : config[bound]

/** Throws `StorageFull` if the tenant may not store so many bytes more. */
export async function refuseTenantFull(
  {
    deployment,
    tenant,
  }: { readonly deployment: TenantContext['deployment']; readonly tenant: Pick<TenantContext['tenant'], 'internal'> },
  bytes: number,
): Promise<void> {
  const { config, totals, metrics } = deployment
  const max = boundOf(config, 'tenantBytesMax')
  if (max === undefined) return
  const value = (await totals.of(tenant.internal)) + bytes
  if (value > max) {
    metrics.count('storage-full')
    throw new StorageFull('tenantBytesMax', { max, value })
  }
  totals.grant(tenant.internal, bytes)
}

/** Throws `StorageFull` if the tenant, the share or the token may not store so many bytes more. */
export async function refuseFull(transaction: Transaction, context: DocumentContext, bytes: number): Promise<void> {
  const slot = storedBySlotOf(context)
  if (slot !== undefined) {
    const limit = 'share' in context.caller && context.caller.share !== undefined ? 'shareBytesMax' : 'tokenBytesMax'
    const max = boundOf(context.deployment.config, limit)
    const value = ((await transaction.read(slot))?.bytes ?? 0) + bytes
    if (max !== undefined && value > max) {
      context.deployment.metrics.count('storage-full')
      throw new StorageFull(limit, { max, value })
    }
  }
  await refuseTenantFull(context, bytes)
}

/** Adds bytes to those that the share or token has stored; the API token has no count of its own. */
export async function addStoredBy(transaction: Transaction, context: DocumentContext, bytes: number): Promise<void> {
  const { caller } = context
  const slot = storedBySlotOf(context)
  if (slot === undefined || caller.kind !== 'document' || bytes <= 0) return
  const before = await transaction.read(slot)
  const expiresAt = caller.share === undefined ? Math.ceil(caller.expiresAt * 1000) : null
  transaction.put(slot, { bytes: (before?.bytes ?? 0) + bytes, expiresAt })
}

export function storedBySlotOf({
  deployment,
  tenant,
  document,
  caller,
}: DocumentContext): Slot<StoredByRow> | undefined {
  if (caller.kind !== 'document') return undefined
  const place = JSON.stringify(['stored-by', document.internal, credentialKeyOf(caller)])
  return deployment.tables.storedBy.at([tenant.internal, document.internal, deployment.sealing.fingerprint(place)])
}
