// Rule for deployments on providers whose sessions require an environment.
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'

export function environmentMissing(provider: string): ProviderRule {
  return rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: `${provider}.deployment-environment-missing`,
    severity: 'error',
    spec: '2.16',
    summary: 'A deployment needs an environment',
    fix: 'Name an environment in the deployment or in its agent.',
    *check({ declaration: { body }, project }) {
      const agent = project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which body it is.
      if (agent && (body.environment ?? agent.environment) === undefined)
        yield { at: [], detail: `Neither the deployment nor the agent ${body.agent} names one.` }
    },
  })
}
