// Identities: the end users agents act for (agent configuration 2.2).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import { Exact, ProviderName, StringMap, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    provider: Type.Optional(ProviderName()),
    external_id: Type.Optional(Word({ minLength: 1, description: "Your product's stable id of the end user." })),
    identity_id: Type.Optional(
      Word({ minLength: 1, description: 'An existing identity, which is never created, updated or deleted.' }),
    ),
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Default: the key.' })),
    enabled: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(StringMap()),
  },
  { description: 'An end user that agents act for.' },
)

export type IdentityBody = Static<typeof schema>

export const identity = kind({
  kind: 'identity',
  section: 'identities',
  summary: 'Stable end-user identities.',
  schema,
  hasDefault: true,
  references: () => [],
  external: ({ identity_id }) => identity_id,
  rules: [],
})
