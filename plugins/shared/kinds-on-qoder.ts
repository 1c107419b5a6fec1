// Kinds that only qoder has, listed as missing in other providers.
import type { MissingKind } from '../../core/plugin/capability.js'

const reasons = {
  tunnel: 'there is no way into private networks',
  identity: 'end users are unknown to this API',
  channel: 'there are no messaging channels',
} as const

export const kindsOnQoder: readonly MissingKind[] = Object.entries(reasons).map(([kind, reason]) => ({
  kind,
  reason,
  instead: `pin the ${kind} to qoder`,
}))
