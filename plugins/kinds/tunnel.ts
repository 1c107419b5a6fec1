// Tunnels: existing network tunnels that sessions are started with. They are never created, changed or removed (agent
// configuration 2.6).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import { Exact, ProviderName, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    tunnel_id: Word({ minLength: 1, description: 'Id of the tunnel, as its administrator gave it.' }),
    description: Type.Optional(Text({ description: 'A remark for readers of the file.' })),
    provider: Type.Optional(ProviderName()),
  },
  { description: 'An existing tunnel. It is never created, updated or deleted.' },
)

export type TunnelBody = Static<typeof schema>

export const tunnel = kind({
  kind: 'tunnel',
  section: 'tunnels',
  summary: 'Existing tunnels into private networks.',
  schema,
  references: () => [],
  external: ({ tunnel_id }) => tunnel_id,
  rules: [],
})
