// Claude Managed Agents (P-C).
import { provider } from '../../core/plugin/provider.js'
import { agent } from './agent.js'
import { capabilities } from './capabilities.js'
import { type ClaudeClient, configuration, connect, identify } from './client.js'
import { deployment } from './deployment.js'
import { deployments } from './deployment-run.js'
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

export const claude = provider<ClaudeClient>({
  name: 'claude',
  aliases: ['p-c'],
  title: 'Claude (P-C)',
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
