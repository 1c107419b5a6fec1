// Qoder (P-B): managed agents, and forward agents for end users.
import { provider } from '../../core/plugin/provider.js'
import { capabilities } from './capabilities.js'
import { configuration, connect, identify } from './client.js'
import { place, providerName } from './delivery.js'
import { deployments } from './deployment-run.js'
import { classify } from './failure.js'
import { agent } from './managed/agent.js'
import { deployment } from './managed/deployment.js'
import { environment } from './managed/environment.js'
import { file } from './managed/file.js'
import { memoryStore } from './managed/memory-store.js'
import { skill } from './managed/skill.js'
import { vault } from './managed/vault.js'
import { memories } from './memories.js'
import { rules } from './rules/index.js'
import { words } from './words.js'

export const qoder = provider({
  name: providerName,
  aliases: ['p-b'],
  title: 'Qoder (P-B)',
  configuration,
  words,
  identify,
  connect,
  classify,
  capabilities,
  handlers: [environment, vault, memoryStore, skill, file, agent, deployment],
  rules,
  place,
  deployments,
  memories,
})
