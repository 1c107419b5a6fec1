// Maps a caller to the account whose share of threads, queues and places its request uses: a tenant, in it a token or
// share link, in that a session.
import type { Account, Party } from '../../workers/messages/account.js'
import type { Caller } from '../auth/caller.js'
import type { TenantContext } from './operation.js'

/** Scheduling weights: a public link counts less than an issued credential. */
const weights = { share: 1, credential: 4 } as const

export const accountOf = ({ tenant, caller }: Pick<TenantContext, 'tenant' | 'caller'>): Account => [
  tenantParty(tenant.internal),
  ...partiesOf(caller),
]

/**
 * Returns the account of an event stream. Tokens have a limit of their own; streams of the API token count for the
 * tenant.
 */
export function streamAccountOf({ tenant, caller }: Pick<TenantContext, 'tenant' | 'caller'>): Account {
  const [share] = caller.kind === 'document' && caller.share !== undefined ? partiesOf(caller) : []
  return [tenantParty(tenant.internal), ...(share === undefined ? [] : [share])]
}

/** Returns the account of a tenant as a whole. */
export const tenantAccountOf = (tenant: string): Account => [tenantParty(tenant)]

/** Returns the account of a visitor of a share without a session: one network under the share. */
export const visitorAccountOf = (tenant: string, share: string, network: string): Account => [
  tenantParty(tenant),
  shareParty(share),
  { name: network, weight: 1 },
]

/** Returns the account of work on uploads of a tenant, independent of the caller. */
export const uploadsAccountOf = (tenant: string): Account => [
  tenantParty(tenant),
  { name: 'uploads', weight: weights.credential },
]

const tenantParty = (internal: string): Party => ({ name: internal, weight: 1 })

const shareParty = (share: string): Party => ({ name: `share ${share}`, weight: weights.share })

function partiesOf(caller: Caller): Account {
  if (!('jti' in caller)) return [{ name: caller.kind, weight: weights.credential }]
  if (caller.kind === 'document' && caller.share !== undefined) {
    return [shareParty(caller.share), { name: caller.jti, weight: 1 }]
  }
  return [{ name: `token ${caller.jti}`, weight: weights.credential }]
}
