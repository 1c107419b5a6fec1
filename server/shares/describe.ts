// Converts rows of share grants to their representation in responses, without the passphrase hash.
import type { Static } from 'typebox'
import type { TenantContext } from '../operation/operation.js'
import { shareBytesSlot } from '../operation/storage-bounds.js'
import type { ShareRow } from '../rows/share.js'
import type { Share } from '../schemas/share.js'

type Described = Static<typeof Share>

export async function describeShares(
  rows: readonly ShareRow[],
  { tenant, deployment }: Pick<TenantContext, 'tenant' | 'deployment'>,
): Promise<Described[]> {
  const { tables } = deployment
  const places = await tables.getMany(rows.map(({ id }) => tables.shareIds.at([id])))
  // A share that was deleted meanwhile has no place.
  const counts = await tables.getMany(places.flatMap((place) => (place ? [shareBytesSlot(deployment, place)] : [])))
  const counted = counts.values()
  return rows.map(({ passwordHash, ...shown }, index) => ({
    ...shown,
    tenantId: tenant.row.id,
    passwordProtected: passwordHash !== null,
    storedBytes: (places[index] && counted.next().value?.bytes) ?? 0,
    storedBytesMax: shown.storedBytesMax ?? null,
  }))
}

export async function describeShare(row: ShareRow, context: TenantContext): Promise<Described> {
  const [share] = await describeShares([row], context)
  if (share === undefined) throw new Error('A share is missing')
  return share
}
