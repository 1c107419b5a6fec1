// Qoder (P-B): managed agents, and forward agents for end users.
import { provider } from '../../core/plugin/provider.js'
import { configuration, connect, identify } from './client.js'
import { place, providerName } from './delivery.js'
import { deployments } from './deployment-run.js'
import { classify } from './failure.js'
import * as forward from './forward/handlers.js'
import * as managed from './managed/handlers.js'
import { memories } from './memories.js'
import { problems } from './problems.js'
import { rules } from './rules/index.js'
import { sessions } from './sessions.js'
import { tunnel } from './tunnel.js'
import { words } from './value-aliases.js'

export const qoder = provider({
  name: providerName,
  aliases: ['p-b'],
  title: 'Qoder (P-B)',
  configuration,
  words,
  identify,
  connect,
  classify,
  // Ids are looked up in the forward API first: the managed one also returns environments of the other.
  handlers: [tunnel, ...Object.values(forward), ...Object.values(managed)],
  rules,
  problems,
  place,
  sessions,
  deployments,
  memories,
})
