// Rules for environments (agent configuration 2.5).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { EnvironmentBody } from '../../kinds/environment.js'

const networkFields = ['allow_mcp_servers', 'allow_package_managers', 'allowed_hosts'] as const

export const environmentRules: readonly ProviderRule[] = [
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'bailian.environment-network',
    severity: 'error',
    spec: '2.5',
    summary: 'Networks cannot be limited here',
    fix: 'Use type: unrestricted without further settings, or pin the environment to another provider.',
    *check({ declaration: { body } }) {
      const { networking } = body.config ?? {}
      if (networking?.type === 'limited')
        yield {
          at: ['config', 'networking', 'type'],
          detail: 'Bailian offers unrestricted networks alone and refuses limited ones.',
        }
      for (const field of networkFields) {
        if (networking?.[field] === undefined) continue
        yield {
          at: ['config', 'networking', field],
          onKey: true,
          detail: `Bailian has no limited networks, so that ${field} has no meaning there.`,
        }
      }
    },
  }),
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'bailian.environment-self-hosted',
    severity: 'error',
    spec: '2.5',
    summary: 'Environments cannot be self-hosted here',
    fix: 'Use type: cloud, refer to an existing environment with environment_id, or pin this one to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.type === 'self_hosted')
        yield { at: ['config', 'type'], detail: 'Bailian runs every sandbox in its own cloud.' }
    },
  }),
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'bailian.environment-setup-script',
    severity: 'error',
    spec: '7.2',
    summary: 'Setup scripts are not accepted here',
    fix: 'Install packages with config.packages, or pin the environment to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.setup_script !== undefined)
        yield { at: ['config', 'setup_script'], onKey: true, detail: 'Bailian does not run setup scripts.' }
    },
  }),
]
