// All rules of this provider.
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { claudeFieldRules } from '../../shared/claude-fields.js'
import { agentRules } from './agent.js'
import { deploymentRules } from './deployment.js'
import { environmentRules } from './environment.js'
import { memoryStoreRules } from './memory-store.js'
import { metadataRules } from './metadata.js'
import { mountRules } from './mounts.js'
import { uploadRules } from './upload.js'
import { vaultRules } from './vault.js'

export const rules: readonly ProviderRule[] = [
  ...claudeFieldRules('ark', 'Ark'),
  ...environmentRules,
  ...vaultRules,
  ...memoryStoreRules,
  ...uploadRules,
  ...agentRules,
  ...metadataRules,
  ...mountRules,
  ...deploymentRules,
]
