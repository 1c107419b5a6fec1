// Converts the row of a share grant to its representation in responses, without the passphrase hash.
import type { Static } from 'typebox'
import type { TenantContext } from '../operation/operation.js'
import type { ShareRow } from '../rows/share.js'
import type { Share } from '../schemas/share.js'

export function describeShare(row: ShareRow, { tenant }: Pick<TenantContext, 'tenant'>): Static<typeof Share> {
  const { passwordHash, ...shown } = row
  return { ...shown, tenantId: tenant.row.id, passwordProtected: passwordHash !== null }
}
