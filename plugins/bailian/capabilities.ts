// Capabilities of this provider, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'

export const capabilities: readonly Capability[] = [
  { kind: 'environment', support: 'native', reason: 'cloud environments with unrestricted networks' },
  { kind: 'vault', support: 'native', reason: 'environment variable credentials; bearer tokens are refused' },
  { kind: 'memory_store', support: 'native' },
  { kind: 'skill', support: 'native' },
  { kind: 'file', support: 'native', reason: 'kept for 30 days' },
  { kind: 'agent', support: 'native' },
  { kind: 'deployment', support: 'native', reason: 'resources are files only' },
  ...kindsOnQoder,
]
