// Finds a share grant of the tenant by its public token. Throws `NotFound` for grants of other tenants.
import type { Deployment } from '../operation/deployment.js'
import { notFound } from '../refusals/refusal.js'
import type { ShareRow } from '../rows/share.js'
import type { ShareKey } from './put-share.js'

export interface ShareName {
  readonly id: string
  /** Internal id of the tenant. */
  readonly tenant: string
}

export async function shareKey({ tables }: Pick<Deployment, 'tables'>, { id, tenant }: ShareName): Promise<ShareKey> {
  const pointer = await tables.shareIds.get([id])
  if (pointer?.tenant !== tenant) throw notFound('share')
  return [pointer.tenant, pointer.document, pointer.share]
}

export async function findShare(deployment: Pick<Deployment, 'tables'>, name: ShareName): Promise<ShareRow> {
  const [row] = await deployment.tables.getMany([deployment.tables.shares.at(await shareKey(deployment, name))])
  if (!row) throw notFound('share')
  return row
}
