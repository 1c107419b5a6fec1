// Rules for environments (agent configuration 2.5).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { type EnvironmentBody, isLimited } from '../../kinds/environment.js'
import { unlimitedNetwork } from '../../shared/unlimited-network.js'
import { packageManagers } from '../environment-config.js'

export const environmentRules: readonly ProviderRule[] = [
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'claude.environment-self-hosted',
    severity: 'error',
    spec: '2.5',
    summary: 'A self-hosted environment has settings of a cloud sandbox',
    fix: 'Remove the key, or use type: cloud.',
    *check({ declaration: { body } }) {
      if (body.config?.type !== 'self_hosted') return
      for (const key of ['networking', 'packages'] as const)
        if (body.config[key] !== undefined)
          yield { at: ['config', key], onKey: true, detail: 'Your own machines decide that, not Claude.' }
    },
  }),
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'claude.environment-setup-script',
    severity: 'error',
    spec: '7.2',
    summary: 'Environments have no setup script here',
    fix: 'Remove setup_script and list what it installs under packages, or pin the environment to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.setup_script !== undefined)
        yield {
          at: ['config', 'setup_script'],
          onKey: true,
          detail: 'Claude runs no script while it prepares a sandbox.',
        }
    },
  }),
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'claude.environment-unreachable-packages',
    severity: 'error',
    spec: '2.5',
    summary: 'Packages cannot be installed over a limited network',
    fix: 'Add allow_package_managers: true under networking, or remove the packages.',
    *check({ declaration: { body } }) {
      const { networking, packages } = body.config ?? {}
      if (!isLimited(networking) || networking?.allow_package_managers) return
      const manager = packageManagers.find((name) => (packages?.[name] ?? []).length > 0)
      if (manager !== undefined)
        yield {
          at: ['config', 'packages', manager],
          onKey: true,
          detail: 'The network is limited and does not allow package managers, so Claude refuses any packages.',
        }
    },
  }),
  unlimitedNetwork('claude'),
]
