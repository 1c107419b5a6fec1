// The bodies that the handlers send, written here with the types of the official client: the type checker judges them,
// and the test holds the handlers to them. A later client that disagrees fails in the type check, at the member.
import type Anthropic from '@anthropic-ai/sdk'
import t from 'tap'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { AgentCreate, AgentUpdate } from './sdk-samples.js'
import { openClaude } from './subject.js'

type Beta = Anthropic.Beta
/** A parameter of a method, without what are headers or parts of the path. */
type Given<Method extends (...given: never[]) => unknown, Index extends number> = Omit<
  NonNullable<Parameters<Method>[Index]>,
  'betas' | 'workspace_id' | 'vault_id' | 'memory_store_id'
>

/** Secrets as the log of the emulator shows them. */
const hidden = '(sensitive)'
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
  t.match((await bench.sent('POST', '/agents')).at(-1), helper)
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
  }
  const { metadata: _, ...sent } = (await bench.sent('POST', '/agents')).at(-1) ?? {}
  t.strictSame(sent, created)
  bench.declare('agent', 'reviewer', { model: 'claude-sonnet-5', instructions: 'Review.' })
  t.same(await bench.update('agent', 'reviewer'), [])
  const updated: AgentUpdate = {
    version: 1,
    description: '',
    model: { id: 'claude-sonnet-5', effort: null },
    tools: [{ type: 'agent_toolset_20260401' }],
    mcp_servers: [],
    skills: [],
    multiagent: null,
    metadata: { team: null },
  }
  t.match((await bench.sent('POST', bench.id('agent', 'reviewer'))).at(-1), updated)
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
  const networking = { type: 'limited', allowed_hosts: ['a.example'], allow_mcp_servers: true } as const
  bench.declare('environment', 'dev', {
    description: 'Where it runs',
    config: { type: 'cloud', networking, packages: { pip: ['requests'] } },
    metadata: { team: 'data' },
  })
  await bench.create('environment', 'dev').catch(() => undefined)
  const created: Given<Beta['environments']['create'], 0> = {
    name: 'dev',
    description: 'Where it runs',
    config: {
      type: 'cloud',
      networking: {
        type: 'limited',
        allowed_hosts: ['a.example'],
        allow_mcp_servers: true,
        allow_package_managers: false,
      },
      packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: ['requests'] },
    },
  }
  t.match((await bench.sent('POST', '/environments')).at(-1), created)
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
  t.match((await bench.sent('POST', '/vaults')).at(-1), vault)
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

t.test('a deployment, a session, their events, memories', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'dev', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('memory_store', 'notes', { description: 'Notes', entries: [{ key: 'a.md', content: 'a' }] })
  bench.declare('agent', 'reviewer', {
    model: 'claude-opus-5',
    instructions: 'Review.',
    environment: 'dev',
    budget: { amount: 2.5 },
  })
  for (const [kind, name] of [
    ['environment', 'dev'],
    ['vault', 'keys'],
    ['memory_store', 'notes'],
    ['agent', 'reviewer'],
  ] as const)
    await bench.create(kind, name)
  const store: Given<Beta['memoryStores']['create'], 0> = { name: 'notes', description: 'Notes' }
  t.match((await bench.sent('POST', '/memory_stores')).at(-1), store)
  const memory: Given<Beta['memoryStores']['memories']['create'], 1> = { path: '/a.md', content: 'a' }
  t.match((await bench.sent('POST', '/memories')).at(-1), memory)

  const repository = { type: 'git_repository', url: 'https://github.com/acme/shop', authorization_token: 't' }
  bench.declare('deployment', 'nightly', {
    agent: 'reviewer',
    vaults: ['keys'],
    memory_stores: ['notes'],
    resources: [{ ...repository, checkout: { branch: 'main' } }],
    initial_events: [
      { type: 'user.message', content: 'Go.' },
      { type: 'system.message', content: 'Be brief.' },
      { type: 'user.define_outcome', description: 'A report', rubric: 'It has a summary.' },
    ],
    schedule: { expression: '0 2 * * *', timezone: 'Europe/Berlin' },
  })
  await bench.create('deployment', 'nightly')
  const budget = { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } } as const
  const nightly: Given<Beta['deployments']['create'], 0> = {
    name: 'nightly',
    agent: bench.id('agent', 'reviewer'),
    environment_id: bench.id('environment', 'dev'),
    vault_ids: [bench.id('vault', 'keys')],
    initial_events: [
      { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
      { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        type: 'user.define_outcome',
        description: 'A report',
        rubric: { type: 'text', content: 'It has a summary.' },
        max_iterations: 3,
      },
    ],
    resources: [
      {
        type: 'github_repository',
        url: 'https://github.com/acme/shop',
        authorization_token: hidden,
        checkout: { type: 'branch', name: 'main' },
        mount_path: '/workspace/shop',
      },
      { type: 'memory_store', memory_store_id: bench.id('memory_store', 'notes'), access: 'read_write' },
    ],
    schedule: { type: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' },
    budget,
  }
  const sent = (await bench.sent('POST', '/deployments')).at(-1)
  t.same(Object.keys(sent ?? {}).sort(), [...Object.keys(nightly), 'metadata'].sort())
  t.match(sent, { ...nightly, agent: Object, resources: Array })
  t.same(new Set(sent?.['resources'] as object[]), new Set(nightly.resources))

  const asked: SessionRequest = { title: 'Try', vaults: ['keys'], memoryStores: ['notes'], files: [], variables: {} }
  const body = bench.sessions.request(
    bench.declaration('agent', 'reviewer'),
    asked,
    bench.scope(bench.declaration('agent', 'reviewer')),
  )
  const wanted: Given<Beta['sessions']['create'], 0> = {
    agent: bench.id('agent', 'reviewer'),
    environment_id: bench.id('environment', 'dev'),
    title: 'Try',
    vault_ids: [bench.id('vault', 'keys')],
    resources: [{ type: 'memory_store', memory_store_id: bench.id('memory_store', 'notes'), access: 'read_write' }],
    budget,
  }
  const session = await bench.sessions.create(bench.call, bench.expanded(body))
  t.match((await bench.sent('POST', '/sessions')).at(-1), wanted)
  await bench.sessions.send(bench.call, String(session['id']), 'Hello')
  const message: Given<Beta['sessions']['events']['send'], 1> = {
    events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }],
  }
  t.strictSame((await bench.sent('POST', '/events')).at(-1), message)
  const answers: Given<Beta['sessions']['events']['send'], 1> = {
    events: [
      { type: 'user.tool_confirmation', tool_use_id: 'a', result: 'allow' },
      { type: 'user.tool_confirmation', tool_use_id: 'b', result: 'deny', deny_message: 'No.' },
    ],
  }
  const given = [
    { id: 'a', isAllowed: true },
    { id: 'b', isAllowed: false, message: 'No.' },
  ]
  await bench.sessions.confirm?.(bench.call, String(session['id']), given).catch(() => undefined)
  t.strictSame((await bench.sent('POST', '/events')).at(-1), answers)
})
