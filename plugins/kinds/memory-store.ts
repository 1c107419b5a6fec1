// Memory stores: context that agents keep between sessions (agent configuration 2.8).
import { type Static, Type } from 'typebox'
import { isPath } from '../../core/declaration/text-reader.js'
import { kind } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { AnyJson, Exact, OneOf, ProviderName, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    description: Type.Optional(Text({ description: 'What the store is for; agents see it.' })),
    provider: Type.Optional(ProviderName()),
    metadata: Type.Optional(
      Type.Record(Type.String(), AnyJson(), { description: 'Labels of your own; the provider only stores them.' }),
    ),
    entries_mode: Type.Optional(
      OneOf(['initialize', 'sync'], {
        description: 'initialize: entries go only into a new store. sync: declared entries stay as declared.',
        default: 'initialize',
      }),
    ),
    entries: Type.Optional(
      Type.Array(
        Exact({
          key: Word({
            minLength: 1,
            description: 'Path of the memory within the store.',
            examples: ['notes/style.md'],
          }),
          content: Text({ description: 'Text of the memory.' }),
        }),
        { description: 'Memories that the store begins with, or always has.' },
      ),
    ),
  },
  { description: 'Context that agents keep between sessions.' },
)

export type MemoryStoreBody = Static<typeof schema>

const repeatedKey: KindRule<MemoryStoreBody> = {
  code: 'memory-store.entry-repeated',
  severity: 'error',
  spec: '2.8',
  summary: 'Two entries of a memory store have the same key',
  fix: 'Rename or remove one of them.',
  *check({ body }) {
    const seen = new Set<string>()
    for (const [index, { key }] of (body.entries ?? []).entries()) {
      const path = key.replace(/^\/+/, '')
      const detail = `"${key}" stands in the store already; a slash in front makes no difference.`
      if (seen.has(path)) yield { at: ['entries', index, 'key'], detail }
      seen.add(path)
    }
  },
}

/**
 * Warns of content that looks like a path: unlike `instructions` of an agent, content is literal and never read from a
 * file.
 */
const contentIsPath: KindRule<MemoryStoreBody> = {
  code: 'memory-store.content-is-path',
  severity: 'warning',
  spec: '2.8',
  summary: 'The text of a memory looks like a path',
  fix: 'Write the text itself there; a file is not read.',
  *check({ body }) {
    for (const [index, { content }] of (body.entries ?? []).entries())
      if (isPath(content))
        yield { at: ['entries', index, 'content'], detail: 'The memory would hold this path, not what is in the file.' }
  },
}

export const memoryStore = kind({
  kind: 'memory_store',
  holds: 'everything that agents remembered in it',
  section: 'memory_stores',
  summary: 'Context that agents keep between sessions.',
  schema,
  references: () => [],
  rules: [repeatedKey, contentIsPath],
})
