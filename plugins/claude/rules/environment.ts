// Rules for environments (agent configuration 2.5).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { type EnvironmentBody, isLimited } from '../../kinds/environment.js'
import { packageManagers } from '../environment-config.js'

export const environmentRules: readonly ProviderRule[] = [
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'claude.environment-self-hosted',
    severity: 'error',
    spec: '2.5',
    summary: 'Environments cannot be self-hosted here',
    fix: 'Use type: cloud, refer to an existing environment with environment_id, or pin this one to qoder.',
    *check({ declaration: { body } }) {
      if (body.config?.type === 'self_hosted')
        yield { at: ['config', 'type'], detail: 'Environments of Claude are declared with type cloud alone.' }
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
  rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: 'claude.environment-hosts-without-limit',
    severity: 'error',
    spec: '2.5',
    summary: 'Hosts are listed for a network without limits',
    fix: 'Use type: limited, or remove the limits.',
    *check({ declaration: { body } }) {
      const networking = body.config?.networking
      if (networking === undefined || isLimited(networking)) return
      for (const member of ['allowed_hosts', 'allow_mcp_servers', 'allow_package_managers'] as const) {
        const value = networking[member]
        if (value !== undefined && (value === false || Array.isArray(value)))
          yield {
            at: ['config', 'networking', member],
            onKey: true,
            detail: `An unrestricted network reaches everything, so ${member} would limit nothing.`,
          }
      }
    },
  }),
]
