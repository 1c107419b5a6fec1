// Files: local files uploaded for agents to read (agent configuration 2.10).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import { Exact, LocalPath, ProviderName, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    source: LocalPath('file', { description: 'The file to upload, under its own base name.' }),
    name: Type.Optional(Text({ minLength: 1, description: 'A label; the uploaded name stays that of the source.' })),
    purpose: Type.Optional(
      Word({ minLength: 1, description: 'What the provider files it under.', examples: ['agent'] }),
    ),
    provider: Type.Optional(ProviderName()),
  },
  { description: 'A local file that is uploaded.' },
)

export type FileBody = Static<typeof schema>

export const file = kind({
  kind: 'file',
  section: 'files',
  summary: 'Local files uploaded for agents.',
  schema,
  references: () => [],
  rules: [],
})
