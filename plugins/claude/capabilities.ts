// Capabilities of this provider, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'

const onQoder = (kind: string, reason: string): Capability => ({
  kind,
  support: 'unsupported',
  reason,
  instead: `pin the ${kind} to qoder`,
})

export const capabilities: readonly Capability[] = [
  { kind: 'environment', support: 'native', reason: 'cloud sandboxes only' },
  { kind: 'vault', support: 'native' },
  { kind: 'memory_store', support: 'native' },
  { kind: 'skill', support: 'native' },
  { kind: 'file', support: 'native', reason: 'mounted into sessions' },
  { kind: 'agent', support: 'native', reason: 'archived instead of deleted' },
  { kind: 'deployment', support: 'native', reason: 'archived instead of deleted' },
  onQoder('tunnel', 'there is no way into private networks'),
  onQoder('identity', 'end users are unknown to this API'),
  onQoder('channel', 'there are no messaging channels'),
]
