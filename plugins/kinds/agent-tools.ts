// Tools of agents: built-in ones and those of MCP servers (agent configuration 2.11, 2.13).
import { Type } from 'typebox'
import { Exact, OneOf, Text, Word } from '../../core/plugin/schema.js'

const permissions = ['allow', 'ask', 'auto'] as const
const permission = OneOf(permissions)

export const exampleServer = { name: 'issues', type: 'url', url: 'https://mcp.example.com/mcp' }

const mcpToolkit = Exact(
  {
    type: OneOf(['mcp_toolkit'], { description: 'Always mcp_toolkit.' }),
    mcp_server_name: Word({ minLength: 1, description: 'A server of mcp_servers, by its name.', examples: ['issues'] }),
    default_config: Type.Optional(
      Exact(
        {
          enabled: Type.Optional(Type.Boolean({ description: 'Whether these tools are on.', default: false })),
          permission: Type.Optional(
            OneOf(permissions, {
              description: 'Whether tools of the server run at once or ask first, the same on every provider.',
              default: 'allow',
              examples: ['ask'],
            }),
          ),
        },
        { description: 'Settings of the tools that configs does not name.' },
      ),
    ),
    configs: Type.Optional(
      Type.Array(
        Exact({
          name: Word({ minLength: 1, description: 'Name of the tool, as the server has it.' }),
          enabled: Type.Boolean({ description: 'Whether the tool is on.' }),
          permission: Type.Optional(
            OneOf(permissions, {
              description: 'Whether the tool runs at once or asks first. Left out: what default_config says.',
              examples: ['ask'],
            }),
          ),
        }),
        { description: 'Single tools of the server that are switched on or off, or have a permission of their own.' },
      ),
    ),
  },
  {
    description: 'Tools of one MCP server.',
    'x-aliases': { mcpServerName: 'mcp_server_name', defaultConfig: 'default_config' },
  },
)

export const tools = Exact(
  {
    builtin: Type.Array(Word({ minLength: 1 }), {
      description: 'Built-in tools to switch on, in lower case.',
      examples: [['bash', 'read']],
    }),
    default_permission: Type.Optional(
      OneOf(permissions, {
        description:
          'Whether built-in tools run at once or ask first; a session that waits is answered by agents session confirm. ' +
          'auto: the service judges each call.',
        default: 'allow',
      }),
    ),
    permissions: Type.Optional(
      Type.Record(Type.String(), permission, {
        description: 'Permissions of single built-in tools, by name, where they differ from default_permission.',
        examples: [{ bash: 'ask' }],
      }),
    ),
    mcp: Type.Optional(
      Type.Array(mcpToolkit, {
        description: 'Tools of MCP servers, one entry for each server.',
        'x-with': { mcp_servers: [exampleServer] },
      }),
    ),
  },
  {
    description:
      'Built-in tools and tools of MCP servers. Left out: every built-in tool, without asking; with it, only the tools it names.',
  },
)

export const mcpServer = Exact(
  {
    name: Word({ minLength: 1, description: 'Name that tools.mcp refers to.' }),
    type: Type.Optional(
      OneOf(['url', 'http', 'official'], {
        description: "url and http: a server at url. official: one of the provider's own catalogue, by its name.",
      }),
    ),
    url: Type.Optional(
      Text({ minLength: 1, description: 'Address of the server.', examples: ['https://mcp.example.com/mcp'] }),
    ),
  },
  { examples: [exampleServer] },
)
