// Rules for what sessions and deployments mount (agent configuration 2.14, 2.16).
import type { Finding } from '../../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import { mountRepeatedRules } from '../../shared/mount-repeated.js'
import { mountRoot } from '../mount-root.js'
import { repositoryPath } from '../mounts.js'

const repository = {
  phase: 'declaration',
  code: 'claude.repository-url',
  severity: 'error',
  spec: '2.14',
  summary: 'A repository cannot be reached by its address',
  fix: 'Write the address that begins with https://, without a user name or a token in it.',
} as const

export const mountRules: readonly ProviderRule[] = [
  ...mountRepeatedRules({
    provider: 'claude',
    root: mountRoot,
    stores: ['agent', 'deployment'],
    repository: repositoryPath,
  }),
  rule<AgentBody>({ ...repository, kind: 'agent', check: ({ declaration }) => addresses(declaration.body.resources) }),
  rule<DeploymentBody>({
    ...repository,
    kind: 'deployment',
    check: ({ declaration }) => addresses(declaration.body.resources),
  }),
]

/** Yields findings about addresses of repositories. A rule of all providers reports texts that are no web address. */
function* addresses(resources: AgentBody['resources'] | DeploymentBody['resources']): Iterable<Finding> {
  for (const [index, resource] of (resources ?? []).entries()) {
    if (resource.type !== 'git_repository' || hasPlaceholder(resource.url)) continue
    if (/^https?:\/\/[^/]/i.test(resource.url) && !/^https:\/\/[^@/]+\/./.test(resource.url))
      yield {
        at: ['resources', index, 'url'],
        detail: `Claude fetches repositories by https, not from ${resource.url}.`,
      }
  }
}
