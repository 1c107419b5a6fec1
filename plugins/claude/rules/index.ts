// All rules of this provider, checked before a plan.
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { metadataRules } from '../../shared/metadata-limits.js'
import { mountPathRules } from '../../shared/mount-path.js'
import { mountRoot } from '../mount-root.js'
import { agentRules } from './agent.js'
import { deploymentRules } from './deployment.js'
import { droppedRules } from './dropped.js'
import { environmentRules } from './environment.js'
import { memoryStoreRules } from './memory-store.js'
import { mountRules } from './mounts.js'
import { selfHostedRules } from './self-hosted.js'
import { toolRules } from './tools.js'
import { vaultRules } from './vault.js'

export const rules: readonly ProviderRule[] = [
  ...environmentRules,
  ...vaultRules,
  ...memoryStoreRules,
  ...agentRules,
  ...toolRules,
  ...deploymentRules,
  ...droppedRules,
  ...mountRules,
  ...selfHostedRules,
  ...mountPathRules({ provider: 'claude', root: mountRoot }),
  ...metadataRules({
    provider: 'claude',
    title: 'Claude',
    kinds: ['environment', 'vault', 'agent', 'deployment', 'memory_store'],
    entriesMax: 16,
    keyCharactersMax: 64,
    valueCharactersMax: 512,
  }),
]
