// Rules for what sessions mount, and where (agent configuration 2.14).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { fileWithoutMountPath } from '../../shared/file-without-mount-path.js'
import { mountedStores, repeatedStores } from '../../shared/memory-store-mounts.js'
import { mountPathRules } from '../../shared/mount-path.js'
import { mountRepeatedRules } from '../../shared/mount-repeated.js'
import { mountRoot } from '../mount-root.js'

/** Maximum number of distinct memory stores in a session. */
export const memoryStoresMax = 10

export const mountRules: readonly ProviderRule[] = [
  ...mountPathRules({ provider: 'ark', root: mountRoot }),
  ...mountRepeatedRules({ provider: 'ark', root: mountRoot, stores: ['deployment'] }),
  fileWithoutMountPath({ code: 'ark.file-without-mount-path', title: 'Ark' }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'ark.agent-git-repository',
    severity: 'error',
    spec: '2.14',
    summary: 'Repositories cannot be mounted here',
    fix: 'Remove the resource and let the agent clone it, or pin the agent to qoder or claude.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type === 'git_repository')
          yield { at: ['resources', index, 'type'], detail: 'Sessions of Ark mount files and memory stores alone.' }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'ark.agent-duplicate-memory-mount',
    severity: 'error',
    spec: '2.14',
    summary: 'A memory store is mounted twice',
    fix: 'Keep one of the two resources.',
    *check({ declaration: { body } }) {
      for (const { index, name } of repeatedStores(body))
        yield { at: ['resources', index, 'memory_store'], detail: `An earlier resource mounts ${name} already.` }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'ark.agent-too-many-memory-stores',
    severity: 'error',
    spec: '2.14',
    summary: 'An agent mounts too many memory stores',
    fix: 'Mount fewer stores.',
    *check({ declaration: { body } }) {
      const { size } = mountedStores(body)
      if (size > memoryStoresMax)
        yield {
          at: [body.memory_stores ? 'memory_stores' : 'resources'],
          onKey: true,
          detail: `A session of Ark mounts at most ${memoryStoresMax} memory stores; these are ${size}.`,
        }
    },
  }),
]
