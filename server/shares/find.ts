// A share grant of the tenant by its public token. Another tenant's is not there.
import type { Deployment } from '../deployment.js'
import { notFound } from '../errors.js'
import type { ShareRow } from '../rows/share.js'
import type { Stored } from '../storage/table.js'

type StoredShare = Stored<readonly [tenant: string, document: string, share: string], ShareRow>

export async function findShare(
  { tables }: Pick<Deployment, 'tables'>,
  { id, tenant }: { readonly id: string; readonly tenant: string },
): Promise<StoredShare> {
  const pointer = await tables.shareIds.get([id])
  const stored =
    pointer?.tenant === tenant ? await tables.shares.find([pointer.tenant, pointer.document, pointer.share]) : undefined
  if (!stored) throw notFound('share')
  return stored
}
