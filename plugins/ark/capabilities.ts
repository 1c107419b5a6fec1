// Capabilities of this provider, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'

export const capabilities: readonly Capability[] = [
  { kind: 'environment', support: 'native', reason: 'cloud sandboxes only' },
  { kind: 'vault', support: 'native' },
  { kind: 'memory_store', support: 'native' },
  { kind: 'skill', support: 'native', reason: 'a changed folder is a new skill; the old one cannot be removed' },
  { kind: 'file', support: 'native', reason: 'kept for 7 days' },
  { kind: 'agent', support: 'native' },
  {
    kind: 'deployment',
    support: 'emulated',
    reason: 'kept in the state file only; a run is a new session, and nothing runs by itself',
    instead: 'start runs with `agents deployment run`, from a scheduler of your own where one is needed',
  },
  ...kindsOnQoder,
]
