// Rule that refuses limits of a network without limits (agent configuration 2.5): whoever wrote them wanted less than
// everything.
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import { type EnvironmentBody, isLimited } from '../kinds/environment.js'

export function unlimitedNetwork(provider: string): ProviderRule {
  return rule<EnvironmentBody>({
    kind: 'environment',
    phase: 'declaration',
    code: `${provider}.environment-hosts-without-limit`,
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
  })
}
