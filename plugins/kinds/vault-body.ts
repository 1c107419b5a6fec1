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

const mcpOAuth = Exact(
  {
    name: Word({ minLength: 1, description: 'Name of the credential within the vault.' }),
    type: Type.Literal('mcp_oauth', { description: 'An OAuth token for an MCP server, which the service refreshes.' }),
    mcp_server_url: Word({
      minLength: 1,
      description: 'Address of the MCP server the token is for.',
      examples: ['https://mcp.example.com/mcp'],
    }),
    access_token: Secret({
      minLength: 1,
      description: 'Access token to begin with; write ${NAME} and keep it in .env.',
    }),
    expires_at: Type.Optional(
      Word({
        minLength: 1,
        description: 'When that token expires (RFC 3339). It is sent with the token and not compared later.',
        examples: ['2027-01-01T00:00:00Z'],
      }),
    ),
    refresh: Type.Optional(
      Exact(
        {
          token_endpoint: Word({
            minLength: 1,
            description: 'Address at which the token is refreshed.',
            examples: ['https://auth.example.com/token'],
          }),
          client_id: Word({ minLength: 1, description: 'Id of the OAuth client.', examples: ['steward'] }),
          refresh_token: Secret({ minLength: 1, description: 'Refresh token; write ${NAME} and keep it in .env.' }),
          token_endpoint_auth: Type.Optional(
            Exact(
              {
                type: OneOf(['none', 'client_secret_basic', 'client_secret_post'], {
                  description: 'How the client identifies itself.',
                  default: 'none',
                }),
                client_secret: Type.Optional(
                  Secret({ minLength: 1, description: 'Secret of the client; write ${NAME} and keep it in .env.' }),
                ),
              },
              { description: 'Identification of the client at the token endpoint. Left out: none.' },
            ),
          ),
          resource: Type.Optional(
            Word({ minLength: 1, description: 'Resource indicator.', examples: ['https://mcp.example.com'] }),
          ),
          scope: Type.Optional(Word({ minLength: 1, description: 'Scope of refreshed tokens.', examples: ['read'] })),
        },
        { description: 'How the service gets a new token. Left out: the token is used until it expires.' },
      ),
    ),
  },
  { description: 'An OAuth token for an MCP server, which the service refreshes.' },
)

const credential = Type.Union([staticBearer, environmentVariable, mcpOAuth])

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
