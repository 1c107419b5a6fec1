// Every rule of this provider.
import type { ProviderRule } from '../../core/plugin/rule.js'
import { agentRules } from './rules/agent.js'
import { deploymentRules } from './rules/deployment.js'
import { droppedRules } from './rules/dropped.js'
import { environmentRules } from './rules/environment.js'
import { metadataRules } from './rules/metadata.js'
import { mountRules } from './rules/mounts.js'
import { vaultRules } from './rules/vault.js'

export const rules: readonly ProviderRule[] = [
  ...environmentRules,
  ...vaultRules,
  ...agentRules,
  ...mountRules,
  ...deploymentRules,
  ...metadataRules,
  ...droppedRules,
]
