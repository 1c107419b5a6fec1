// Rules for what sessions mount where the customer runs the sandboxes: the service mounts neither files nor repositories
// there (agent configuration 2.5, 2.14).
import type { Finding, Project } from '../../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import type { EnvironmentBody } from '../../kinds/environment.js'

const text = {
  phase: 'declaration',
  code: 'claude.self-hosted-mount',
  severity: 'error',
  spec: '2.14',
  summary: 'Nothing can be mounted into a self-hosted environment',
  fix: 'Put it on your own machines and remove it here, or use an environment of type cloud.',
} as const

const reason = 'runs on your own machines, where Claude mounts nothing.'

export const selfHostedRules: readonly ProviderRule[] = [
  rule<AgentBody>({
    ...text,
    kind: 'agent',
    *check({ declaration: { body }, project }) {
      if (!isSelfHosted(project, body.environment)) return
      for (const at of mountsOf(body)) yield found(at, body.environment)
    },
  }),
  rule<DeploymentBody>({
    ...text,
    kind: 'deployment',
    *check({ declaration: { body }, project }) {
      const agent = project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which body it is.
      const environment = body.environment ?? agent?.environment
      if (!isSelfHosted(project, environment)) return
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type !== 'memory_store') yield found(['resources', index], environment)
      // The agent's own rule reports mounts into the environment of the agent.
      const [mounted] = agent === undefined || isSelfHosted(project, agent.environment) ? [] : mountsOf(agent)
      if (mounted !== undefined)
        yield {
          at: ['environment'],
          detail: `The agent ${body.agent} mounts ${mounted.join('.')}, and the environment ${environment} ${reason}`,
        }
    },
  }),
]

function isSelfHosted(project: Project, name: string | undefined): boolean {
  const body = name === undefined ? undefined : project.find('environment', name)?.body
  return (body as EnvironmentBody | undefined)?.config?.type === 'self_hosted' // The kind says which body it is.
}

/** Returns the paths of files and repositories that sessions mount. */
function mountsOf({ files, resources }: AgentBody): readonly Finding['at'][] {
  return [
    ...(files ?? []).flatMap((file, index) => (typeof file === 'string' ? [] : [['files', index]])),
    ...(resources ?? []).flatMap(({ type }, index) => (type === 'git_repository' ? [['resources', index]] : [])),
  ]
}

function found(at: Finding['at'], environment: string | undefined): Finding {
  return { at, detail: `The environment ${environment} ${reason}` }
}
