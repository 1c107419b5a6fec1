// All rules of this provider.
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { claudeFieldRules } from '../../shared/claude-fields.js'
import { mountPathRules } from '../../shared/mount-path.js'
import { mountRepeatedRules } from '../../shared/mount-repeated.js'
import { providerName } from '../delivery.js'
import { mountRoot } from '../mount-root.js'
import { repositoryPath } from '../mounts.js'
import { agentRules } from './agent.js'
import { channelRules, identityRules } from './channel.js'
import { deliveryRules } from './delivery.js'
import { deploymentRules } from './deployment.js'
import { environmentRules } from './environment.js'
import { memoryStoreRules } from './memory-store.js'
import { fileRules, skillRules } from './skill.js'
import { vaultRules } from './vault.js'

export const rules: readonly ProviderRule[] = [
  ...claudeFieldRules('qoder', 'Qoder'),
  ...environmentRules,
  ...vaultRules,
  ...skillRules,
  ...fileRules,
  ...agentRules,
  ...deliveryRules,
  ...channelRules,
  ...identityRules,
  ...deploymentRules,
  ...memoryStoreRules,
  ...mountPathRules({ provider: providerName, root: mountRoot, isRepositoryPathAbsolute: true }),
  ...mountRepeatedRules({
    provider: providerName,
    root: mountRoot,
    stores: ['agent', 'deployment'],
    repository: repositoryPath,
  }),
]
