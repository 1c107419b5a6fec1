// Kinds of the names in a session request.
import type { SessionKinds } from '../../core/sessions/create.js'

export const sessionKinds: SessionKinds = {
  runs: 'agent',
  identity: 'identity',
  environment: 'environment',
  vaults: 'vault',
  memoryStores: 'memory_store',
  tunnel: 'tunnel',
  files: { kind: 'file', body: (source) => ({ source }) },
}
