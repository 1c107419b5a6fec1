// The bodies that the handlers send, written here with the types of the official client: the type checker judges them,
// and the test holds the handlers to them. A later client that disagrees fails in the type check, at the member.
import t from 'tap'
import { type Beta, type Given, hidden, lastSent } from './sdk-given.js'
import type { AgentCreate, AgentUpdate } from './sdk-samples.js'
import { openClaude } from './subject.js'

const allow = { permission_policy: { type: 'always_allow' } } as const
const ask = { permission_policy: { type: 'always_ask' } } as const

t.test('an agent with everything, and its end', async (t) => {
  const bench = await openClaude(t)
  bench.declare('agent', 'helper', { model: 'claude-opus-5', instructions: 'Help.' })
  await bench.create('agent', 'helper')
  const helper: AgentCreate = {
    name: 'helper',
    model: { id: 'claude-opus-5' },
    system: 'Help.',
    tools: [{ type: 'agent_toolset_20260401' }],
  }
  t.strictSame(await lastSent(bench, '/agents'), helper)
  bench.declare('agent', 'reviewer', {
    model: 'claude-opus-5',
    model_settings: { effort: 'low', speed: 'fast', inference_geo: 'eu' },
    description: 'Reviews',
    instructions: 'Review.',
    tools: {
      builtin: ['bash', 'web_fetch', 'web_search'],
      permissions: { bash: 'auto' },
      limits: {
        web_fetch: {
          allowed_domains: ['docs.example.com'],
          max_content_tokens: 1000,
          url_sources: { user_input: 'none', server_tool_results: { only: ['web_search'] } },
        },
        web_search: { blocked_domains: ['ads.example.com'], user_location: { city: 'Berlin', country: 'DE' } },
      },
      custom: [{ name: 'pay', description: 'Pays.', input_schema: { type: 'object', properties: { sum: {} } } }],
      mcp: [
        {
          type: 'mcp_toolkit',
          mcp_server_name: 'issues',
          default_config: { enabled: true, permission: 'ask' },
          configs: [{ name: 'search', enabled: true, permission: 'allow' }],
        },
      ],
    },
    mcp_servers: [{ name: 'issues', url: 'https://mcp.example.com' }],
    skills: [{ type: 'official', skill_id: 'pdf' }],
    multiagent: { agents: ['helper'] },
    metadata: { team: 'data' },
  })
  await bench.create('agent', 'reviewer')
  const created: AgentCreate = {
    name: 'reviewer',
    description: 'Reviews',
    model: { id: 'claude-opus-5', effort: { type: 'low' }, speed: 'fast', inference_geo: 'eu' },
    system: 'Review.',
    tools: [
      {
        type: 'agent_toolset_20260401',
        default_config: { enabled: false },
        configs: [
          { name: 'bash', enabled: true, permission_policy: { type: 'auto' } },
          {
            name: 'web_fetch',
            enabled: true,
            ...allow,
            allowed_domains: ['docs.example.com'],
            max_content_tokens: 1000,
            url_sources: {
              user_input: { type: 'none' },
              server_tool_results: { type: 'only', tools: [{ type: 'tool_reference', name: 'web_search' }] },
            },
          },
          {
            name: 'web_search',
            enabled: true,
            ...allow,
            blocked_domains: ['ads.example.com'],
            user_location: { type: 'approximate', city: 'Berlin', country: 'DE' },
          },
        ],
      },
      {
        type: 'mcp_toolset',
        mcp_server_name: 'issues',
        default_config: { enabled: true, ...ask },
        configs: [{ name: 'search', enabled: true, ...allow }],
      },
      {
        type: 'custom',
        name: 'pay',
        description: 'Pays.',
        input_schema: { type: 'object', properties: { sum: {} } },
      },
    ],
    mcp_servers: [{ name: 'issues', type: 'url', url: 'https://mcp.example.com' }],
    skills: [{ type: 'anthropic', skill_id: 'pdf' }],
    multiagent: { type: 'coordinator', agents: [{ type: 'agent', id: bench.id('agent', 'helper') }] },
    metadata: { team: 'data' },
  }
  t.strictSame(await lastSent(bench, '/agents'), created)
  bench.declare('agent', 'reviewer', { model: 'claude-sonnet-5', instructions: 'Review.' })
  t.same(await bench.update('agent', 'reviewer'), [])
  const on = { enabled: true, ...allow }
  const updated: AgentUpdate = {
    version: 1,
    description: '',
    model: { id: 'claude-sonnet-5', effort: null },
    tools: [
      {
        type: 'agent_toolset_20260401',
        default_config: on,
        configs: [
          { name: 'web_fetch', ...on },
          { name: 'web_search', ...on },
        ],
      },
    ],
    mcp_servers: [],
    skills: [],
    multiagent: null,
    metadata: { team: null },
  }
  t.strictSame(await lastSent(bench, bench.id('agent', 'reviewer')), updated)
})

t.test('an agent with an advisor, subagents and workflows, and what an update clears', async (t) => {
  const bench = await openClaude(t)
  const usual = { model: 'claude-opus-5', instructions: 'Lead.' }
  bench.declare('agent', 'helper', usual)
  await bench.create('agent', 'helper')
  const sent = async (path: string) => (await bench.sent('POST', path)).at(-1)?.['multiagent']
  const members = [{ type: 'agent' as const, id: bench.id('agent', 'helper') }]
  const multiagent = {
    advisor: { model: 'claude-opus-5' },
    subagents: { agents: ['helper'], inline_agents: false },
    workflows: { enabled: false },
  }
  bench.declare('agent', 'lead', { ...usual, multiagent })
  await bench.create('agent', 'lead')
  const created: AgentCreate['multiagent'] = {
    type: 'multiagent_20261001',
    advisor: { type: 'enabled', model: 'claude-opus-5' },
    subagents: { type: 'enabled', inline_agents: { type: 'disabled' }, predefined_agents: members },
    workflows: { type: 'disabled' },
  }
  t.strictSame(await sent('/agents'), created)
  bench.declare('agent', 'lead', { ...usual, multiagent: { subagents: { enabled: true } } })
  t.same(await bench.update('agent', 'lead'), [])
  const updated: AgentUpdate['multiagent'] = {
    type: 'multiagent_20261001',
    advisor: null,
    subagents: { type: 'enabled', inline_agents: null, predefined_agents: null },
    workflows: null,
  }
  t.strictSame(await sent(bench.id('agent', 'lead')), updated)
})

t.test('an environment, and what an update clears', async (t) => {
  const bench = await openClaude(t)
  const networking = {
    type: 'limited',
    allowed_hosts: ['a.example'],
    allow_mcp_servers: true,
    allow_package_managers: true,
  } as const
  bench.declare('environment', 'dev', {
    description: 'Where it runs',
    config: { type: 'cloud', networking, packages: { pip: ['requests'] } },
    metadata: { team: 'data' },
  })
  await bench.create('environment', 'dev')
  const created: Given<Beta['environments']['create'], 0> = {
    name: 'dev',
    description: 'Where it runs',
    config: {
      type: 'cloud',
      networking: {
        type: 'limited',
        allowed_hosts: ['a.example'],
        allow_mcp_servers: true,
        allow_package_managers: true,
      },
      packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: ['requests'] },
    },
    metadata: { team: 'data' },
  }
  t.strictSame(await lastSent(bench, '/environments'), created)
  bench.declare('environment', 'dev', { config: { type: 'cloud' } })
  t.same(await bench.update('environment', 'dev'), [])
  const none: string[] = []
  const updated: Given<Beta['environments']['update'], 1> = {
    description: null,
    config: {
      type: 'cloud',
      networking: { type: 'unrestricted' },
      packages: { type: 'packages', apt: none, cargo: none, gem: none, go: none, npm: none, pip: none },
    },
    metadata: { team: null },
  }
  t.strictSame(await lastSent(bench, bench.id('environment', 'dev')), updated)
})

t.test('credentials, and updates without what cannot change', async (t) => {
  const bench = await openClaude(t)
  const declare = (text: string) =>
    bench.declare('vault', 'keys', {
      display_name: 'Keys',
      credentials: [
        { name: 'issues', type: 'static_bearer', mcp_server_url: 'https://a.example/mcp', access_token: text },
        { name: 'token', type: 'environment_variable', secret_name: 'TOKEN', secret_value: text },
        {
          name: 'wiki',
          type: 'mcp_oauth',
          mcp_server_url: 'https://b.example/mcp',
          access_token: text,
          expires_at: '2027-01-01T00:00:00Z',
          refresh: { token_endpoint: 'https://b.example/token', client_id: 'c', refresh_token: text },
        },
      ],
    })
  declare('one')
  await bench.create('vault', 'keys')
  const path = `${bench.id('vault', 'keys')}/credentials`
  const vault: Given<Beta['vaults']['create'], 0> = { display_name: 'Keys' }
  t.strictSame(await lastSent(bench, '/vaults'), vault)
  const made: readonly Given<Beta['vaults']['credentials']['create'], 1>[] = [
    {
      display_name: 'issues',
      auth: { type: 'static_bearer', mcp_server_url: 'https://a.example/mcp', token: hidden },
    },
    {
      display_name: 'token',
      auth: {
        type: 'environment_variable',
        secret_name: 'TOKEN',
        secret_value: hidden,
        networking: { type: 'unrestricted' },
        injection_location: { header: true, body: false },
      },
    },
    {
      display_name: 'wiki',
      auth: {
        type: 'mcp_oauth',
        mcp_server_url: 'https://b.example/mcp',
        access_token: hidden,
        expires_at: '2027-01-01T00:00:00Z',
        refresh: {
          token_endpoint: hidden,
          client_id: 'c',
          refresh_token: hidden,
          token_endpoint_auth: { type: 'none' },
        },
      },
    },
  ]
  t.strictSame(await bench.sent('POST', path), made)
  declare('two')
  await bench.update('vault', 'keys')
  const parts = [...(await bench.parts('vault', 'keys')).values()].map(({ id }) => String(id))
  const updates: readonly Given<Beta['vaults']['credentials']['update'], 1>[] = [
    { display_name: 'issues', auth: { type: 'static_bearer', token: hidden } },
    {
      display_name: 'token',
      auth: {
        type: 'environment_variable',
        secret_value: hidden,
        networking: { type: 'unrestricted' },
        injection_location: { header: true, body: false },
      },
    },
    {
      display_name: 'wiki',
      auth: { type: 'mcp_oauth', access_token: hidden, refresh: { refresh_token: hidden } },
    },
  ]
  const sent = await Promise.all(parts.map(async (id) => (await bench.sent('POST', `${path}/${id}`)).at(-1)))
  t.same(new Set(sent.map((body) => JSON.stringify(body))), new Set(updates.map((body) => JSON.stringify(body))))
})
