// Rules for memory stores (agent configuration 2.8).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'

export const memoryLimits = { contentBytesMax: 102_400, memoriesMax: 2_000 } as const

export const memoryStoreRules: readonly ProviderRule[] = [
  rule<MemoryStoreBody>({
    kind: 'memory_store',
    phase: 'declaration',
    code: 'ark.memory-store-metadata',
    severity: 'error',
    spec: '2.8',
    summary: 'Metadata values must be strings here',
    fix: 'Write the value as text in quotes, or pin the store to bailian.',
    *check({ declaration: { body } }) {
      for (const [key, value] of Object.entries(body.metadata ?? {}))
        if (typeof value !== 'string')
          yield { at: ['metadata', key], detail: 'Ark accepts only strings as metadata values.' }
    },
  }),
  rule<MemoryStoreBody>({
    kind: 'memory_store',
    phase: 'declaration',
    code: 'ark.memory-store-too-large',
    severity: 'error',
    spec: '2.8',
    summary: 'A memory store is larger than the provider takes',
    fix: 'Stay below the limit, or divide the content among several entries or stores.',
    *check({ declaration: { body } }) {
      const entries = body.entries ?? []
      if (entries.length > memoryLimits.memoriesMax)
        yield {
          at: ['entries'],
          onKey: true,
          detail: `A store of Ark holds ${memoryLimits.memoriesMax} memories; these are ${entries.length}.`,
        }
      for (const [index, { content }] of entries.entries()) {
        const bytes = hasPlaceholder(content) ? 0 : Buffer.byteLength(content)
        if (bytes > memoryLimits.contentBytesMax)
          yield {
            at: ['entries', index, 'content'],
            detail: `Ark takes ${memoryLimits.contentBytesMax} bytes of UTF-8 in a memory; these are ${bytes}.`,
          }
      }
    },
  }),
]
