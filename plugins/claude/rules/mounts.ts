// What sessions and deployments can mount here (agent configuration 2.14, 2.16).
import { basename } from 'node:path/posix'
import type { Finding } from '../../../core/declaration/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent.js'
import type { DeploymentBody } from '../../kinds/deployment.js'
import { mountPath } from '../../shared/mount-path.js'
import { mountRoot } from '../mount-root.js'
import { repositoryUrl } from '../mounts.js'

type Resources = AgentBody['resources'] | DeploymentBody['resources']

const repeated = {
  phase: 'declaration',
  code: 'claude.mount-repeated',
  severity: 'error',
  spec: '2.14',
  summary: 'One thing is mounted twice, or two in one place',
  fix: 'Keep one of the resources, or give each a mount_path of its own.',
} as const

const repository = {
  phase: 'declaration',
  code: 'claude.repository-url',
  severity: 'error',
  spec: '2.14',
  summary: 'A repository cannot be reached by its address',
  fix: 'Write the address that begins with https://, without a user name or a token in it.',
} as const

export const mountRules: readonly ProviderRule[] = [
  rule<AgentBody>({ ...repeated, kind: 'agent', check: ({ declaration }) => repetitions(declaration.body.resources) }),
  rule<DeploymentBody>({
    ...repeated,
    kind: 'deployment',
    check: ({ declaration }) => repetitions(declaration.body.resources),
  }),
  rule<AgentBody>({ ...repository, kind: 'agent', check: ({ declaration }) => addresses(declaration.body.resources) }),
  rule<DeploymentBody>({
    ...repository,
    kind: 'deployment',
    check: ({ declaration }) => addresses(declaration.body.resources),
  }),
]

function* repetitions(resources: Resources): Iterable<Finding> {
  const seen = new Set<string>()
  for (const [index, resource] of (resources ?? []).entries()) {
    const key = mountedAs(resource)
    if (key === undefined) continue
    if (seen.has(key)) yield { at: ['resources', index], detail: `An earlier resource is mounted as ${key} already.` }
    seen.add(key)
  }
}

/** The store, or the path; undefined where the server finds a path of its own. */
function mountedAs(resource: NonNullable<Resources>[number]): string | undefined {
  if (resource.type === 'memory_store') return resource.memory_store
  const path = resource.mount_path ?? (resource.type === 'git_repository' ? basename(repositoryUrl(resource.url)) : '')
  return path === '' ? undefined : mountPath(mountRoot, path)
}

function* addresses(resources: Resources): Iterable<Finding> {
  for (const [index, resource] of (resources ?? []).entries()) {
    if (resource.type !== 'git_repository' || hasPlaceholder(resource.url)) continue
    if (!/^https:\/\/[^@/]+\/./.test(resource.url))
      yield {
        at: ['resources', index, 'url'],
        detail: `Claude fetches repositories by https, not from ${resource.url}.`,
      }
  }
}
