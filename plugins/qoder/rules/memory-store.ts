// Rules for memory stores (agent configuration 2.8).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { knownText } from './known-text.js'
import { metadataRules } from './metadata.js'

export const memoryStoreLimits = { contentBytesMax: 100 * 1024 } as const

const kind = 'memory_store'

export const memoryStoreRules: readonly ProviderRule[] = [
  rule<MemoryStoreBody>({
    code: 'qoder.memory-store-metadata-not-text',
    kind,
    phase: 'declaration',
    severity: 'error',
    spec: '2.8',
    summary: 'Metadata of a memory store is text here',
    fix: 'Write the value as text, in quotes.',
    *check({ declaration: { body } }) {
      for (const [key, value] of Object.entries(body.metadata ?? {}))
        if (typeof value !== 'string') yield { at: ['metadata', key], detail: `"${key}" is not text.` }
    },
  }),
  rule<MemoryStoreBody>({
    code: 'qoder.memory-store-entry-too-large',
    kind,
    phase: 'declaration',
    severity: 'error',
    spec: '2.8',
    summary: 'An entry of a memory store is too large',
    fix: 'Split the entry.',
    *check({ declaration: { body }, project }) {
      for (const [index, { key, content }] of (body.entries ?? []).entries()) {
        const sizeBytes = Buffer.byteLength(knownText(content, project))
        if (sizeBytes <= memoryStoreLimits.contentBytesMax) continue
        const detail = `"${key}" has ${sizeBytes} bytes; Qoder keeps ${memoryStoreLimits.contentBytesMax}.`
        yield { at: ['entries', index, 'content'], detail }
      }
    },
  }),
  // The limit is one pair lower than for other kinds, because the forward API adds a pair.
  ...metadataRules(kind, { markPairs: 3 }),
]
