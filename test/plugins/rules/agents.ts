// Rules of agents: fields of other providers, tools, MCP servers, limits.
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import { agent, type Case, forward, type Name, times } from './case.js'

const foreignOnBailian = ['2.11 2.6 7.5 7.6 fields of qoder are refused', 'agent-foreign-field'] as const
const foreignOnClaude = ['7.5 7.6 fields that belong to another provider are refused', 'agent-foreign-field'] as const
const serversOnClaude = '2.11 MCP servers are named by address, once each, at most twenty'

/** Fields of Qoder that another provider refuses, as Ark says it. */
const foreign = (field: string, value: unknown, ark: readonly [string, string]): Case => ({
  kind: 'agent',
  on: { ark, bailian: foreignOnBailian, claude: foreignOnClaude },
  passes: [agent(), agent({ environment: 'e', vault: 'v' })],
  fails: [[agent({ [field]: value }), field]],
})

const forwardDelivery = (provider: Name, title: string): Case => ({
  kind: 'agent',
  on: { [provider]: [title, 'agent-forward-delivery'] },
  passes: [
    agent({ delivery: { qoder: { type: 'forward' } } }),
    agent({ delivery: { [provider]: { type: 'managed' }, qoder: { type: 'forward' } } }),
  ],
  fails: [[agent({ delivery: { [provider]: { type: 'forward' } } }), `delivery.${provider}.type`]],
})

const tools = (...builtin: readonly string[]) => agent({ tools: { builtin } })
const server = (name: string, more: object = {}) => ({ name, url: 'https://mcp.example', ...more })
const servers = (count: number) => times(count, (index) => server(`s${index}`))
const withServers = (...mcp_servers: readonly object[]) => agent({ mcp_servers })
const toolkit = (mcp_server_name: string) => ({ type: 'mcp_toolkit', mcp_server_name })
const withToolkits = (mcp_servers: readonly object[], ...names: readonly string[]) =>
  agent({ mcp_servers, tools: { builtin: [], mcp: names.map(toolkit) } })

const fields: readonly Case[] = [
  foreign('environment_variables', {}, [
    '2.11 environment variables of an agent are refused',
    'agent-environment-variables',
  ]),
  foreign('tunnel', 'office', ['2.11 a tunnel is refused', 'agent-tunnel']),
  foreign('managed_tool_config', { enabled_tools: [] }, ['7.5 managed tools are refused', 'agent-managed-tool-config']),
  foreign('default_memory_store', { name: 'x' }, [
    '7.6 a default memory store is refused',
    'agent-default-memory-store',
  ]),
  forwardDelivery('ark', '2.11 forward delivery is refused'),
  forwardDelivery('bailian', '2.11 forward delivery is refused here and nobody else’s business'),
  forwardDelivery('claude', '7.5 7.6 fields that belong to another provider are refused'),
  {
    kind: 'agent',
    on: {
      qoder: ['2.11 environment variables must fit into KEY=VALUE;KEY=VALUE', 'agent-environment-variable'],
    },
    passes: [
      agent({ environment_variables: { KEY: 'a=b', EMPTY: '' } }),
      forward({ environment_variables: { KEY: 'a;b' } }),
    ],
    fails: [
      [agent({ environment_variables: { 'A=B': 'x' } }), 'environment_variables.A=B'],
      [agent({ environment_variables: { 'A;B': 'x' } }), 'environment_variables.A;B'],
      [agent({ environment_variables: { '': 'x' } }), 'environment_variables.'],
      [
        agent({ environment_variables: { A: 'x;y', B: variablePlaceholder('SEMI') } }),
        'environment_variables.A',
        'environment_variables.B',
      ],
    ],
  },
]

const unknownTools = {
  ark: ['2.11 a built-in tool that does not exist is refused', 'agent-unknown-tool'],
  claude: ['2.11 built-in tools that do not exist here are warned of', 'agent-unknown-tool', 'warning'],
  qoder: ['2.11 an undocumented tool is reported', 'tool-unknown', 'warning'],
} as const
const unknownOnBailian = ['2.11 an unknown built-in tool gets a warning', 'agent-unknown-tool', 'warning'] as const

const builtinTools: readonly Case[] = [
  {
    kind: 'agent',
    on: { ...unknownTools, bailian: unknownOnBailian },
    passes: [agent(), tools('bash')],
    fails: [[tools('bash', 'web_serch'), 'tools.builtin.1']],
  },
  {
    kind: 'agent',
    on: unknownTools,
    passes: [tools('Web-Fetch', 'WEB_SEARCH', 'WebFetch')],
    fails: [[tools('bash', 'read', 'download_file'), 'tools.builtin.2']],
  },
  {
    kind: 'agent',
    on: { bailian: unknownOnBailian },
    passes: [tools('Download-File')],
    fails: [[tools('bash', 'web_search'), 'tools.builtin.1']],
  },
  {
    kind: 'agent',
    on: Object.fromEntries(
      ['ark', 'bailian', 'qoder'].map((provider) => [
        provider,
        ['what only claude can be told is refused elsewhere', 'field-of-claude'],
      ]),
    ),
    passes: [agent({ tools: { builtin: ['bash'] } })],
    fails: [
      [agent({ model_settings: { effort: 'low' } }), 'model_settings'],
      [agent({ budget: { amount: 1 } }), 'budget'],
      [agent({ multiagent: { type: 'multiagent_20261001' } }), 'multiagent.type'],
      [
        agent({ multiagent: { advisor: { model: 'm' }, subagents: {}, workflows: { enabled: false } } }),
        'multiagent.advisor',
        'multiagent.subagents',
        'multiagent.workflows',
      ],
      [
        agent({ tools: { builtin: [], limits: { web_fetch: { max_content_tokens: 9 } }, custom: [] } }),
        'tools.limits',
        'tools.custom',
      ],
    ],
  },
  {
    kind: 'agent',
    on: Object.fromEntries(
      ['ark', 'bailian', 'qoder'].map((provider) => [
        provider,
        ['2.11 a service that judges no calls refuses the permission auto', 'agent-permission-auto'],
      ]),
    ),
    passes: [agent({ tools: { builtin: ['bash'], default_permission: 'ask' } })],
    fails: [
      [agent({ tools: { builtin: ['bash'], default_permission: 'auto' } }), 'tools.default_permission'],
      [agent({ tools: { builtin: ['bash'], permissions: { bash: 'auto' } } }), 'tools.permissions.bash'],
      [
        agent({ tools: { builtin: [], mcp: [{ ...toolkit('s'), default_config: { permission: 'auto' } }] } }),
        'tools.mcp.0.default_config.permission',
      ],
      [
        agent({
          tools: {
            builtin: [],
            mcp: [{ ...toolkit('s'), configs: [{ name: 't', enabled: true, permission: 'auto' }] }],
          },
        }),
        'tools.mcp.0.configs.0.permission',
      ],
    ],
  },
  {
    kind: 'agent',
    on: { bailian: ['2.15 a member whose tools ask gets a warning', 'agent-member-approval', 'warning'] },
    beside: { 'agent.coordinator': agent({ multiagent: { agents: ['it'] } }) },
    passes: [agent(), agent({ tools: { builtin: ['bash'], permissions: { bash: 'allow' } } })],
    fails: [
      [agent({ tools: { builtin: ['bash'], default_permission: 'ask' } }), 'tools.default_permission'],
      [agent({ tools: { builtin: ['bash'], permissions: { Bash: 'ask' } } }), 'tools.permissions.Bash'],
      [
        agent({
          tools: { builtin: [], mcp: [{ ...toolkit('s'), default_config: { enabled: true, permission: 'ask' } }] },
        }),
        'tools.mcp.0.default_config.permission',
      ],
    ],
  },
  {
    kind: 'agent',
    on: { qoder: ['2.15 a coordinator needs built-in tools to delegate with', 'coordinator-without-tools'] },
    passes: [
      agent({ multiagent: { agents: ['helper'] } }),
      agent({ multiagent: { agents: ['helper'] }, tools: { builtin: ['bash'] } }),
      tools(),
    ],
    fails: [[agent({ multiagent: { agents: ['helper'] }, tools: { builtin: [] } }), 'tools.builtin']],
  },
]

const mcpServers: readonly Case[] = [
  {
    kind: 'agent',
    on: { ark: ['2.11 an MCP server has a url and is not official', 'agent-official-mcp-server'] },
    passes: [withServers(server('a', { type: 'http' }), server('b'))],
    fails: [
      [
        withServers(server('a', { type: 'official' }), { name: 'b', type: 'url' }),
        'mcp_servers.0.type',
        'mcp_servers.1',
      ],
    ],
  },
  {
    kind: 'agent',
    on: { claude: [serversOnClaude, 'agent-mcp-server-without-url'] },
    passes: [withServers(server('a'))],
    fails: [
      [withServers({ name: 'a', type: 'official' }), 'mcp_servers.0.type'],
      [withServers({ name: 'a' }), 'mcp_servers.0.name'],
    ],
  },
  {
    kind: 'agent',
    on: { qoder: ['2.11 MCP servers are reached by URL only', 'mcp-server-without-url'] },
    passes: [withServers(...servers(2))],
    fails: [[withServers(server('a'), { name: 'maps', type: 'official' }), 'mcp_servers.1']],
  },
  {
    kind: 'agent',
    on: { bailian: ['2.11 MCP servers are named, not addressed', 'agent-url-mcp-server'] },
    passes: [withServers({ name: 'maps' }, { name: 'news', type: 'official' })],
    fails: [
      [withServers(server('maps')), 'mcp_servers.0.url'],
      [withServers({ name: 'maps' }, { name: 'news', type: 'http' }), 'mcp_servers.1.type'],
    ],
  },
  {
    kind: 'agent',
    on: { ark: ['2.11 an MCP server has a name that stays as it is', 'agent-mcp-server-name'] },
    passes: [withServers(...['wiki', 'a_b-9', 'x'.repeat(64)].map((name) => server(name)))],
    fails: [
      [
        withServers(...['Wiki', 'my wiki', 'x'.repeat(65), 'ok'].map((name) => server(name))),
        'mcp_servers.0.name',
        'mcp_servers.1.name',
        'mcp_servers.2.name',
      ],
    ],
  },
  {
    kind: 'agent',
    on: {
      ark: ['2.13 a toolkit names a declared server', 'agent-toolkit-without-server'],
      bailian: [
        '2.13 a misspelled server of a toolkit is reported at the toolkit, not as an unused server',
        'agent-toolkit-without-server',
      ],
      claude: ['2.13 a toolkit belongs to one declared server', 'agent-toolkit-without-server'],
      qoder: ['2.13 a toolkit is for a server of the agent', 'mcp-toolkit-without-server'],
    },
    passes: [withToolkits([server('a')], 'a')],
    fails: [[withToolkits([server('a')], 'a', 'b'), 'tools.mcp.1.mcp_server_name']],
  },
  {
    kind: 'agent',
    on: { claude: ['2.13 a toolkit belongs to one declared server', 'agent-toolkit-without-server'] },
    passes: [],
    fails: [[withToolkits([server('a')], 'a', 'a'), 'tools.mcp.1.mcp_server_name']],
  },
  {
    kind: 'agent',
    on: { bailian: ['2.13 every MCP server has a toolkit', 'agent-mcp-server-without-toolkit'] },
    passes: [withToolkits([{ name: 'maps' }], 'maps'), withToolkits([], 'maps')],
    fails: [
      [withServers({ name: 'maps' }), 'mcp_servers.0.name'],
      [withToolkits([{ name: 'news' }], 'maps'), 'mcp_servers.0.name'],
    ],
  },
]

const limitsOnArk = 'an agent has a hundred thousand characters of instructions and twenty MCP servers'
const tooLarge = {
  ark: [limitsOnArk, 'agent-too-large'],
  qoder: ['8 an agent keeps the limits of the API', 'agent-too-large'],
} as const

const limits: readonly Case[] = [
  {
    kind: 'agent',
    on: { ...tooLarge, claude: ['instructions have a limit', 'agent-instructions-too-long'] },
    passes: [agent({ instructions: 'x'.repeat(100_000) })],
    fails: [[agent({ instructions: 'x'.repeat(100_001) }), 'instructions']],
  },
  {
    kind: 'agent',
    on: { ...tooLarge, claude: [serversOnClaude, 'agent-mcp-servers'] },
    passes: [withServers(...servers(20))],
    fails: [[withServers(...servers(21)), 'mcp_servers']],
  },
  {
    kind: 'agent',
    on: { claude: [serversOnClaude, 'agent-mcp-servers'] },
    passes: [],
    fails: [[withServers(server('a'), server('a')), 'mcp_servers.1.name']],
  },
  {
    kind: 'agent',
    on: { qoder: tooLarge.qoder },
    passes: [agent({ description: 'x'.repeat(2_049), skills: times(20, (index) => `n${index}`) })],
    fails: [[agent({ skills: times(21, (index) => `n${index}`) }), 'skills']],
  },
  {
    kind: 'agent',
    on: { qoder: ['8 a template has a shorter description', 'agent-too-large'] },
    api: 'forward',
    passes: [forward({ description: 'x'.repeat(2_048) })],
    fails: [[forward({ description: 'x'.repeat(2_049) }), 'description']],
  },
]

export const agents: readonly Case[] = [...fields, ...builtinTools, ...mcpServers, ...limits]
