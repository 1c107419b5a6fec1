// Whose part of the last room a refusal of tokens or shares takes: what a tenant's own token asks for is bounded, what the
// operator asks for is not.

import type { Commit } from '../storage/store.js'
import type { TenantContext } from './operation.js'

export const urgencyOf = ({
  caller,
  tenant,
}: Pick<TenantContext, 'caller' | 'tenant'>): Pick<Commit, 'isUrgent' | 'urgentOf'> =>
  caller.kind === 'api' ? { isUrgent: true } : { isUrgent: true, urgentOf: tenant.internal }
