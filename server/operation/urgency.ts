// Urgency of commits that refuse tokens or shares on a full disk: those of a tenant token are limited, those of the
// operator are not.

import type { Commit } from '../storage/store.js'
import type { TenantContext } from './operation.js'

export const urgencyOf = ({
  caller,
  tenant,
}: Pick<TenantContext, 'caller' | 'tenant'>): Pick<Commit, 'isUrgent' | 'urgentOf'> =>
  caller.kind === 'api' ? { isUrgent: true } : { isUrgent: true, urgentOf: tenant.internal }
