// Rules for what sessions of an agent mount (agent configuration 2.14).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { fileWithoutMountPath } from '../../shared/file-without-mount-path.js'
import { mountedStores, repeatedStores } from '../../shared/memory-store-mounts.js'
import { mountRepeatedRules } from '../../shared/mount-repeated.js'
import { mountRoot } from '../mounts.js'
import { memoryStoresMax } from '../session-body.js'

export const mountRules: readonly ProviderRule[] = [
  fileWithoutMountPath({ code: 'bailian.file-without-mount-path', title: 'Bailian' }),
  ...mountRepeatedRules({ provider: 'bailian', root: mountRoot, stores: [] }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.duplicate-memory-mount',
    severity: 'error',
    spec: '7.8',
    summary: 'A memory store is mounted twice',
    fix: 'Keep one of the two resources.',
    *check({ declaration: { body } }) {
      for (const { index, name } of repeatedStores(body))
        yield {
          at: ['resources', index, 'memory_store'],
          detail: `An earlier resource mounts the memory store ${name} already.`,
        }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.too-many-memory-stores',
    severity: 'error',
    spec: '7.8',
    summary: 'An agent mounts too many memory stores',
    fix: 'Mount fewer stores.',
    *check({ declaration: { body } }) {
      const { size } = mountedStores(body)
      if (size > memoryStoresMax)
        yield {
          at: [body.memory_stores ? 'memory_stores' : 'resources'],
          detail: `A session of Bailian mounts at most ${memoryStoresMax} distinct memory stores; these are ${size}.`,
        }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.repository-mount',
    severity: 'error',
    spec: '2.14',
    summary: 'Repositories cannot be mounted here',
    fix: 'Remove the resource and let the agent clone it, or pin the agent to qoder or claude.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type === 'git_repository')
          yield { at: ['resources', index, 'type'], detail: 'Sessions of Bailian mount files and memory stores alone.' }
    },
  }),
]
