// The provider: one object that says what Acme has and how it is reached. agents.yaml names this package under
// `providers.<name>.plugin`.
import { provider } from 'steward/plugin'
import { configuration, connect, identify } from './client.js'
import { classify } from './failure.js'
import { agent } from './handlers/agent.js'
import { environment } from './handlers/environment.js'
import { skill } from './handlers/skill.js'
import { vault } from './handlers/vault.js'
import { rules } from './rules.js'

/** What Acme has nothing like. Said here, it is told to whoever declares it. */
const missing = ['file', 'memory_store', 'tunnel', 'identity', 'channel', 'deployment']

export default provider({
  name: 'acme',
  aliases: [],
  title: 'Acme',
  configuration,
  identify,
  connect,
  classify,
  capabilities: [
    { kind: 'environment', support: 'native' },
    { kind: 'vault', support: 'native', reason: 'bearer tokens only' },
    { kind: 'skill', support: 'native' },
    { kind: 'agent', support: 'native' },
    ...missing.map((kind) => ({ kind, support: /** @type {const} */ ('unsupported'), reason: 'Acme has none' })),
  ],
  handlers: [environment, vault, skill, agent],
  rules,
})
