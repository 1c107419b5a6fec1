// Bounds of what tenants, shares and document tokens store: checked before anything is written, counted in the transaction
// that stores it. A full one is told so, and others go on.
import type { Static } from 'typebox'
import { credentialKeyOf, shareKey } from '../auth/caller-key.js'
import { Refusal } from '../refusals/refusal.js'
import type { SharePointer } from '../rows/pointers.js'
import type { StoredByRow } from '../rows/stored-by.js'
import type { TenantRow } from '../rows/tenant.js'
import type { Config } from '../settings/config.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import type { Deployment } from './deployment.js'
import type { DocumentContext, TenantContext } from './operation.js'

type Bound = 'tenantBytesMax' | 'shareBytesMax' | 'tokenBytesMax'

/** Words of the refusal at each bound, and the event that it is counted as. */
const bounds: Readonly<Record<Bound, { readonly whose: string; readonly event: string }>> = {
  tenantBytesMax: { whose: 'The tenant stores', event: 'tenant-full' },
  shareBytesMax: { whose: 'The sessions of this share have stored', event: 'share-full' },
  tokenBytesMax: { whose: 'This token has stored', event: 'token-full' },
}

/** Refusal for want of room; the request succeeds once there is some, so that it is not remembered. */
export class StorageFull extends Refusal {
  constructor(limit: Bound, { max, value }: { readonly max: number; readonly value: number }) {
    const details = { limit, max, value }
    super('PayloadTooLarge', `${bounds[limit].whose} as much as it may: with this request ${value} of ${max} bytes`, {
      details,
    })
  }
}

/** Returns the bound that a tenant, share or token has of its own, else the setting; undefined = unlimited. */
export function boundOf(config: Config, bound: Bound, own?: number | null): number | undefined {
  const max = own ?? config[bound]
  return max === 0 ? undefined : max
}

/** Tenant whose bound is checked, and its deployment. */
interface BoundedTenant {
  readonly deployment: TenantContext['deployment']
  readonly tenant: { readonly internal: string; readonly row: Pick<TenantRow, 'id' | 'storedBytesMax'> }
}

/** Throws `StorageFull` if the tenant may not store so many bytes more. */
export async function refuseTenantFull({ deployment, tenant }: BoundedTenant, bytes: number): Promise<void> {
  const { config, totals } = deployment
  const max = boundOf(config, 'tenantBytesMax', tenant.row.storedBytesMax)
  if (max === undefined) return
  refuseAbove('tenantBytesMax', { max, value: (await totals.of(tenant.internal)) + bytes, deployment, tenant })
  totals.grant(tenant.internal, bytes)
}

/** Throws `StorageFull` if the tenant, the share or the token may not store so many bytes more. */
export async function refuseFull(transaction: Transaction, context: DocumentContext, bytes: number): Promise<void> {
  const slot = storedBySlotOf(context)
  if (slot !== undefined) {
    refuseCallerFull(context, ((await transaction.read(slot))?.bytes ?? 0) + bytes)
  }
  await refuseTenantFull(context, bytes)
}

/**
 * Counts bytes of a file that a request sends; call it with the negative sum when the request ends. Throws `StorageFull`
 * if the running requests of the tenant, the share or the token have sent more than could be stored.
 */
export async function stage(context: TenantContext, bytes: number): Promise<void> {
  const { deployment, tenant, caller } = context
  const { stagedFiles, totals, config } = deployment
  const ofTenant = stagedFiles.add(tenant.internal, bytes)
  const ofCaller = stagedFiles.add(`${tenant.internal} ${credentialKeyOf(caller)}`, bytes)
  if (bytes <= 0) return
  refuseCallerFull(context, ofCaller)
  const max = boundOf(config, 'tenantBytesMax', tenant.row.storedBytesMax)
  if (max === undefined) return
  refuseAbove('tenantBytesMax', { max, value: (await totals.of(tenant.internal)) + ofTenant, deployment, tenant })
}

/** Throws `StorageFull` if the share or document token of the caller may not have so many bytes stored. */
function refuseCallerFull({ caller, deployment, tenant }: TenantContext, value: number): void {
  if (caller.kind !== 'document') return
  const limit = caller.share === undefined ? 'tokenBytesMax' : 'shareBytesMax'
  refuseAbove(limit, { max: boundOf(deployment.config, limit, caller.storedBytesMax), value, deployment, tenant })
}

interface Checked extends BoundedTenant {
  /** Undefined = unlimited. */
  readonly max: number | undefined
  readonly value: number
}

function refuseAbove(limit: Bound, { max, value, deployment, tenant }: Checked): void {
  if (max === undefined || value <= max) return
  deployment.log.warn({ tenant: tenant.row.id, limit, max, value }, 'a bound of what is stored is reached')
  deployment.metrics.count(bounds[limit].event)
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
