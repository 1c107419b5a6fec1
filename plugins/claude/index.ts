// Claude Managed Agents (P-C).
import { provider } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'
import { type ClaudeClient, configuration, connect, identify } from './client.js'
import { deployments } from './deployment-run.js'
import { classify } from './failure.js'
import * as handlers from './handlers.js'
import { memories } from './memories.js'
import { problems } from './problems.js'
import { rules } from './rules/index.js'
import { sessions } from './sessions.js'

export const claude = provider<ClaudeClient>({
  name: 'claude',
  aliases: ['p-c'],
  title: 'Claude (P-C)',
  configuration,
  identify,
  connect,
  classify,
  missing: kindsOnQoder,
  handlers: Object.values(handlers),
  rules,
  problems,
  sessions,
  deployments,
  memories,
})
