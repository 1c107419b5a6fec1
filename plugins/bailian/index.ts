// Bailian (P-A): managed agents of Aliyun Model Studio, one account per workspace.
import { provider } from '../../core/plugin/provider.js'
import { agent } from './agent.js'
import { capabilities } from './capabilities.js'
import { type BailianClient, configuration, connect, identify } from './client.js'
import { deployment } from './deployment.js'
import { deployments } from './deployment-actions.js'
import { environment } from './environment.js'
import { classify } from './failure.js'
import { file } from './file.js'
import { memories } from './memories.js'
import { memoryStore } from './memory-store.js'
import { problems } from './problems.js'
import { rules } from './rules/index.js'
import { sessions } from './sessions.js'
import { skill } from './skill.js'
import { vault } from './vault.js'

export const bailian = provider<BailianClient>({
  name: 'bailian',
  aliases: ['p-a'],
  title: 'Bailian (P-A)',
  configuration,
  identify,
  connect,
  classify,
  capabilities,
  handlers: [environment, vault, memoryStore, skill, file, agent, deployment],
  rules,
  problems,
  sessions,
  deployments,
  memories,
})
