// Capabilities of this provider, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'

export const capabilities: readonly Capability[] = [
  { kind: 'environment', support: 'native', reason: 'cloud environments with unrestricted networks' },
  { kind: 'vault', support: 'native', reason: 'environment variable credentials; bearer tokens are refused' },
  { kind: 'memory_store', support: 'native' },
  { kind: 'skill', support: 'native' },
  { kind: 'file', support: 'native', reason: 'kept for 30 days' },
  { kind: 'agent', support: 'native' },
  { kind: 'deployment', support: 'native', reason: 'resources are files only' },
  {
    kind: 'tunnel',
    support: 'unsupported',
    reason: 'there is no way into private networks',
    instead: 'pin the agent to qoder',
  },
  {
    kind: 'identity',
    support: 'unsupported',
    reason: 'end users are unknown to this API',
    instead: 'pin the identity to qoder',
  },
  {
    kind: 'channel',
    support: 'unsupported',
    reason: 'there are no messaging channels',
    instead: 'pin the channel to qoder',
  },
]
