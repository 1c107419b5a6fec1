// Kinds that qoder alone has, as capabilities of a provider without them.
import type { Capability } from '../../core/plugin/provider.js'

const reasons = {
  tunnel: 'there is no way into private networks',
  identity: 'end users are unknown to this API',
  channel: 'there are no messaging channels',
} as const

export const kindsOnQoder: readonly Capability[] = Object.entries(reasons).map(([kind, reason]) => ({
  kind,
  support: 'unsupported',
  reason,
  instead: `pin the ${kind} to qoder`,
}))
