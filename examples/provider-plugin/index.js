// The provider: one object that says what Acme has and how it is reached. agents.yaml names this package under
// `providers.<name>.plugin`.
import { provider } from 'steward/plugin'
import { configuration, connect, identify } from './client.js'
import { classify } from './failure.js'
import * as handlers from './handlers/index.js'
import { rules } from './rules.js'

/** Kinds that Acme does not have. Whoever declares one is told the reason. */
const missing = ['file', 'memory_store', 'tunnel', 'identity', 'channel', 'deployment']

export default provider({
  name: 'acme',
  aliases: [],
  title: 'Acme',
  configuration,
  identify,
  connect,
  classify,
  missing: missing.map((kind) => ({ kind, reason: 'Acme has none' })),
  handlers: Object.values(handlers),
  rules,
})
