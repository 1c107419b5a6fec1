// Rules for environments (agent configuration 2.5).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import { unlimitedNetwork } from '../../shared/unlimited-network.js'

export const environmentRules: readonly ProviderRule[] = [
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'ark.environment-self-hosted',
    severity: 'error',
    spec: '2.5',
    summary: 'Environments cannot be self-hosted here',
    fix: 'Use type: cloud, refer to an existing environment with environment_id, or pin this one to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.type === 'self_hosted')
        yield { at: ['config', 'type'], detail: 'Self-hosted environments belong to qoder alone.' }
    },
  }),
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'ark.environment-setup-script',
    severity: 'error',
    spec: '7.2',
    summary: 'Setup scripts are not accepted here',
    fix: 'Install packages with config.packages, or pin the environment to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.setup_script !== undefined)
        yield { at: ['config', 'setup_script'], onKey: true, detail: 'Setup scripts belong to qoder alone.' }
    },
  }),
  unlimitedNetwork('ark'),
]
