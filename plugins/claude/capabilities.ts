// Capabilities of this provider, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'

export const capabilities: readonly Capability[] = [
  { kind: 'environment', support: 'native', reason: 'cloud sandboxes only' },
  { kind: 'vault', support: 'native' },
  { kind: 'memory_store', support: 'native' },
  { kind: 'skill', support: 'native' },
  { kind: 'file', support: 'native', reason: 'mounted into sessions' },
  { kind: 'agent', support: 'native', reason: 'archived instead of deleted' },
  { kind: 'deployment', support: 'native', reason: 'archived instead of deleted' },
  ...kindsOnQoder,
]
