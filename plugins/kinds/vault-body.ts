// Schema of an entry of `vaults` (agent configuration 2.7).
import { type Static, Type } from 'typebox'
import { Exact, OneOf, ProviderName, Secret, StringMap, Text, Word } from '../../core/plugin/schema.js'

const staticBearer = Exact(
  {
    name: Word({ minLength: 1, description: 'Name of the credential within the vault.' }),
    type: Type.Literal('static_bearer', { description: 'A bearer token for an MCP server.' }),
    mcp_server_url: Word({
      minLength: 1,
      description: 'Address of the MCP server the token is for.',
      examples: ['https://mcp.example.com/mcp'],
    }),
    access_token: Secret({ minLength: 1, description: 'Bearer token; write ${NAME} and keep it in .env.' }),
    protocol: Type.Optional(OneOf(['sse', 'streamable_http'], { description: 'MCP transport.' })),
  },
  { description: 'A bearer token for an MCP server.' },
)

const environmentVariable = Exact(
  {
    name: Word({ minLength: 1, description: 'Name of the credential within the vault.' }),
    type: Type.Literal('environment_variable', { description: 'A secret that programs see as a variable.' }),
    secret_name: Word({ minLength: 1, description: 'Name of the environment variable.', examples: ['GITHUB_TOKEN'] }),
    secret_value: Secret({ minLength: 1, description: 'Its value; write ${NAME} and keep it in .env.' }),
    networking: Type.Optional(
      Exact(
        {
          type: Type.Optional(
            OneOf(['unrestricted', 'limited'], {
              description: 'Older form of the list of hosts: unrestricted is ["*"].',
            }),
          ),
          allowed_hosts: Type.Optional(
            Type.Array(Word({ minLength: 1 }), {
              description: 'Hosts the secret may be sent to; ["*"] is all.',
              examples: [['api.github.com']],
            }),
          ),
        },
        {
          description: 'Where the secret may be sent.',
          examples: [{ type: 'limited', allowed_hosts: ['api.github.com'] }, { type: 'unrestricted' }],
        },
      ),
    ),
    injection_location: Type.Optional(
      Exact(
        {
          header: Type.Optional(Type.Boolean({ description: 'Put the secret into request headers.' })),
          body: Type.Optional(Type.Boolean({ description: 'Put the secret into request bodies.' })),
        },
        { description: 'Where in a request the secret may stand.', examples: [{ header: true, body: true }] },
      ),
    ),
  },
  { description: 'A secret that programs see as an environment variable.' },
)

const credential = Type.Union([staticBearer, environmentVariable])

export const vaultSchema = Exact(
  {
    display_name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    provider: Type.Optional(ProviderName()),
    credentials: Type.Optional(Type.Array(credential, { description: 'What the vault contains.' })),
    metadata: Type.Optional(StringMap({ description: 'Labels of your own; the provider only stores them.' })),
  },
  { description: 'A store of credentials.' },
)

export type VaultBody = Static<typeof vaultSchema>
export type Credential = Static<typeof credential>
