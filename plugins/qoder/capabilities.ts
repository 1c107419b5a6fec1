// Capabilities of this provider in each of its two APIs, and alternatives to those it lacks.
import type { Capability } from '../../core/plugin/provider.js'

export const capabilities: readonly Capability[] = [
  { kind: 'environment', api: 'managed', support: 'native', reason: 'apt, npm and pip packages only' },
  {
    kind: 'environment',
    api: 'forward',
    support: 'native',
    reason: 'apt, npm and pip packages only; the network cannot be limited',
  },
  { kind: 'vault', api: 'managed', support: 'native' },
  {
    kind: 'vault',
    api: 'forward',
    support: 'native',
    reason: 'credentials are replaced instead of updated; environment variable credentials are not documented',
  },
  { kind: 'skill', api: 'managed', support: 'native', reason: 'the content cannot be read back' },
  { kind: 'skill', api: 'forward', support: 'native', reason: 'the content cannot be read back' },
  { kind: 'file', api: 'managed', support: 'native', reason: 'a changed file is a new upload' },
  { kind: 'file', api: 'forward', support: 'native', reason: 'a changed file is a new upload' },
  { kind: 'memory_store', api: 'managed', support: 'native' },
  { kind: 'memory_store', api: 'forward', support: 'native', reason: 'mounted read-only to the default identity' },
  { kind: 'agent', api: 'managed', support: 'native' },
  { kind: 'agent', api: 'forward', support: 'native', reason: 'as a template, which can be archived but not deleted' },
  { kind: 'identity', api: 'forward', support: 'native' },
  { kind: 'channel', api: 'forward', support: 'native', reason: 'types with credentials; others are bound by QR code' },
  { kind: 'tunnel', api: 'managed', support: 'reference', reason: 'an administrator allocates tunnels' },
  {
    kind: 'deployment',
    api: 'managed',
    support: 'native',
    reason: 'runs managed agents only, and without a tunnel',
    instead: 'let end users schedule runs of a forward agent with managed_tool_config',
  },
]
