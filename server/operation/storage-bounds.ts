// Bounds of what tenants, shares and document tokens store: checked before anything is written, counted in the transaction
// that stores it. A full one is told so, and others go on.
import type { Static } from 'typebox'
import type { Caller } from '../auth/caller.js'
import { credentialKeyOf, shareKey } from '../auth/caller-key.js'
import { Refusal } from '../refusals/refusal.js'
import type { SharePointer } from '../rows/pointers.js'
import type { StoredByRow } from '../rows/stored-by.js'
import type { Config } from '../settings/config.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import type { Deployment } from './deployment.js'
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
  const { config, totals } = deployment
  if (boundOf(config, 'tenantBytesMax') === undefined) return
  refuseAbove('tenantBytesMax', (await totals.of(tenant.internal)) + bytes, { deployment })
  totals.grant(tenant.internal, bytes)
}

/** Throws `StorageFull` if the tenant, the share or the token may not store so many bytes more. */
export async function refuseFull(transaction: Transaction, context: DocumentContext, bytes: number): Promise<void> {
  const slot = storedBySlotOf(context)
  if (slot !== undefined) {
    refuseAbove(boundOfCaller(context.caller), ((await transaction.read(slot))?.bytes ?? 0) + bytes, context)
  }
  await refuseTenantFull(context, bytes)
}

/**
 * Counts bytes of a file that a request sends; call it with the negative sum when the request ends. Throws `StorageFull`
 * if the running requests of the tenant, the share or the token have sent more than could be stored.
 */
export async function stage({ deployment, tenant, caller }: TenantContext, bytes: number): Promise<void> {
  const { stagedFiles, totals } = deployment
  const ofTenant = stagedFiles.add(tenant.internal, bytes)
  const ofCaller = stagedFiles.add(`${tenant.internal} ${credentialKeyOf(caller)}`, bytes)
  if (bytes <= 0) return
  if (caller.kind === 'document') refuseAbove(boundOfCaller(caller), ofCaller, { deployment })
  if (boundOf(deployment.config, 'tenantBytesMax') === undefined) return
  refuseAbove('tenantBytesMax', (await totals.of(tenant.internal)) + ofTenant, { deployment })
}

const boundOfCaller = (caller: Caller): Bound =>
  caller.kind === 'document' && caller.share !== undefined ? 'shareBytesMax' : 'tokenBytesMax'

function refuseAbove(limit: Bound, value: number, { deployment }: Pick<TenantContext, 'deployment'>): void {
  const max = boundOf(deployment.config, limit)
  if (max === undefined || value <= max) return
  deployment.metrics.count('storage-full')
  throw new StorageFull(limit, { max, value })
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

/** Returns the place of the bytes that the visitors of a share have stored. */
export const shareBytesSlot = (
  deployment: Pick<Deployment, 'sealing' | 'tables'>,
  { tenant, document, share }: Static<typeof SharePointer>,
): Slot<StoredByRow> => storedBySlot(deployment, { tenant, document, credential: shareKey(share) })

const storedBySlotOf = ({ deployment, tenant, document, caller }: DocumentContext): Slot<StoredByRow> | undefined =>
  caller.kind === 'document'
    ? storedBySlot(deployment, {
        tenant: tenant.internal,
        document: document.internal,
        credential: credentialKeyOf(caller),
      })
    : undefined

interface Storing {
  readonly tenant: string
  readonly document: string
  readonly credential: string
}

function storedBySlot(
  { sealing, tables }: Pick<Deployment, 'sealing' | 'tables'>,
  { tenant, document, credential }: Storing,
): Slot<StoredByRow> {
  return tables.storedBy.at([
    tenant,
    document,
    sealing.fingerprint(JSON.stringify(['stored-by', document, credential])),
  ])
}
