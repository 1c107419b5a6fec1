// All rules of this provider.
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { agentForeignFieldRules } from '../../shared/agent-foreign-fields.js'
import { claudeFieldRules } from '../../shared/claude-fields.js'
import { metadataRules } from '../../shared/metadata-limits.js'
import { mountPathRules } from '../../shared/mount-path.js'
import { mountRoot } from '../mounts.js'
import { deploymentRules } from './deployment.js'
import { droppedRules } from './dropped.js'
import { environmentRules } from './environment.js'
import { memoryStoreRules } from './memory-store.js'
import { mountRules } from './mounts.js'
import { toolRules } from './tools.js'
import { vaultRules } from './vault.js'

export const rules: readonly ProviderRule[] = [
  ...environmentRules,
  ...vaultRules,
  ...memoryStoreRules,
  ...agentForeignFieldRules('bailian'),
  ...toolRules,
  ...mountRules,
  ...mountPathRules({ provider: 'bailian', root: mountRoot }),
  ...deploymentRules,
  ...droppedRules,
  ...claudeFieldRules('bailian', 'Bailian'),
  ...metadataRules({
    provider: 'bailian',
    title: 'Bailian',
    kinds: ['environment', 'vault', 'agent', 'deployment'],
    entriesMax: 16,
    keyCharactersMax: 64,
    valueCharactersMax: 512,
  }),
]
