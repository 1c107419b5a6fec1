// Bailian (P-A): managed agents of Aliyun Model Studio, one account per workspace.
import { provider } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'
import { type BailianClient, configuration, connect, identify } from './client.js'
import { deployments } from './deployment-actions.js'
import { classify } from './failure.js'
import * as handlers from './handlers.js'
import { memories } from './memories.js'
import { problems } from './problems.js'
import { rules } from './rules/index.js'
import { sessions } from './sessions.js'

export const bailian = provider<BailianClient>({
  name: 'bailian',
  aliases: ['p-a'],
  title: 'Bailian (P-A)',
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
