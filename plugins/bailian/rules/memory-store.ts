// Rules for sizes of memory stores and their entries (agent configuration 2.8).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { memoryPath } from '../../shared/memory-path.js'

const nameCharactersMax = 255
const pathBytesMax = 1_024
const contentBytesMax = 102_400

export const memoryStoreRules: readonly ProviderRule[] = [
  rule<MemoryStoreBody>({
    kind: 'memory_store',
    phase: 'declaration',
    code: 'bailian.memory-store-limits',
    severity: 'error',
    spec: '2.8',
    summary: 'A memory store is larger than the provider takes',
    fix: 'Shorten the name or the path, or split the entry.',
    *check({ declaration: { name: key, body } }) {
      const name = body.name ?? key
      if (!hasPlaceholder(name) && name.length > nameCharactersMax)
        yield {
          at: body.name === undefined ? [] : ['name'],
          onKey: body.name === undefined,
          detail: `Bailian takes names of up to ${nameCharactersMax} characters; this one has ${name.length}.`,
        }
      for (const [index, entry] of (body.entries ?? []).entries()) {
        const pathBytes = Buffer.byteLength(memoryPath(entry.key))
        if (pathBytes > pathBytesMax)
          yield {
            at: ['entries', index, 'key'],
            detail: `Bailian takes paths of up to ${pathBytesMax} bytes; this one has ${pathBytes}.`,
          }
        const contentBytes = Buffer.byteLength(entry.content)
        if (!hasPlaceholder(entry.content) && contentBytes > contentBytesMax)
          yield {
            at: ['entries', index, 'content'],
            detail: `Bailian takes memories of up to ${contentBytesMax} bytes; this one has ${contentBytes}.`,
          }
      }
    },
  }),
]
