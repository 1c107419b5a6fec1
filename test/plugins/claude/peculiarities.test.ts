// What only Claude's API has: members that agents.yaml cannot declare, OAuth credentials, reasons of failed runs.
import t, { type Test } from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import { objectsOf } from '../../../plugins/shared/wire.js'
import { all, type Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const full = {
  model: 'some-model',
  instructions: 'Review.',
  tools: {
    builtin: ['bash', 'read'],
    mcp: [{ type: 'mcp_toolkit', mcp_server_name: 'weather', configs: [{ name: 'today', enabled: true }] }],
  },
  mcp_servers: [
    { name: 'weather', url: 'https://mcp.example/weather' },
    { name: 'maps', url: 'https://mcp.example/maps' },
  ],
}

async function opened(t: Test): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('agent', 'reviewer', full)
  await bench.create('agent', 'reviewer')
  return bench
}

t.test('settings that agents.yaml cannot declare stay: effort, custom tools, policies of MCP tools', async (t) => {
  const bench = await opened(t)
  const custom = { type: 'custom', name: 'lookup', description: '', input_schema: { type: 'object' } }
  const current = bench.remote('agent', 'reviewer')['tools']
  const tools = (Array.isArray(current) ? current : []).map((set) => ({ ...set }))
  tools[1] = { ...tools[1], default_config: { enabled: false, permission_policy: { type: 'always_allow' } } }
  await bench.change(bench.id('agent', 'reviewer'), {
    model: { effort: { type: 'high' } },
    execution_identity: { type: 'other' },
    tools: [...tools, custom],
  })
  t.same(await bench.drift('agent', 'reviewer'), [])
  bench.declare('agent', 'reviewer', { ...full, model: 'other-model', tools: { ...full.tools, builtin: ['grep'] } })
  t.same(await bench.update('agent', 'reviewer'), [])
  t.match(bench.remote('agent', 'reviewer'), {
    model: { id: 'other-model', effort: { type: 'high' } },
    tools: [
      { type: 'agent_toolset_20260401' },
      { mcp_server_name: 'weather', default_config: { permission_policy: { type: 'always_allow' } } },
      { mcp_server_name: 'maps' },
      custom,
    ],
  })
})

const domains = (bench: Workbench, tool: string) => {
  const [set] = objectsOf(bench.remote('agent', 'reviewer')['tools'])
  return objectsOf(set?.['configs']).find(({ name }) => name === tool)?.['allowed_domains']
}

t.test('limits, settings of the model and custom tools are set, changed and cleared', async (t) => {
  const bench = await openClaude(t)
  const limits = { web_fetch: { allowed_domains: ['b.example', 'a.example'], url_sources: { user_input: 'none' } } }
  const pay = { name: 'pay', description: 'Pays.', input_schema: { type: 'object', properties: { sum: {} } } }
  const look = { ...pay, name: 'look', description: 'Looks.' }
  const steps = [
    { ...full, model_settings: { effort: 'low', speed: 'fast', inference_geo: 'eu' } },
    { ...full, model_settings: { effort: 'max', speed: 'standard' } },
    { ...full, tools: { ...full.tools, limits, custom: [pay, look] } },
    { ...full, tools: { ...full.tools, builtin: ['web_fetch'], limits, custom: [look] } },
    { ...full, tools: { builtin: [], limits: { web_fetch: { max_content_tokens: 9 } } } },
    { model: 'some-model', instructions: 'Review.', tools: { builtin: ['bash'] } },
  ]
  bench.declare('agent', 'reviewer', full)
  await bench.create('agent', 'reviewer')
  for (const step of steps) {
    bench.declare('agent', 'reviewer', step)
    t.same(await bench.update('agent', 'reviewer'), [])
    t.same(await bench.drift('agent', 'reviewer'), [])
  }
})

t.test('limits that somebody set elsewhere stay until they are declared', async (t) => {
  const bench = await opened(t)
  const tools = objectsOf(bench.remote('agent', 'reviewer')['tools']).map((set) => ({ ...set }))
  const limited = { type: 'web_fetch', name: 'web_fetch', enabled: false, allowed_domains: ['a.example'] }
  tools[0] = { ...tools[0], configs: [...objectsOf(tools[0]?.['configs']), limited] }
  await bench.change(bench.id('agent', 'reviewer'), { tools, model: { id: 'some-model', inference_geo: 'eu' } })
  t.same(await bench.drift('agent', 'reviewer'), [])
  bench.declare('agent', 'reviewer', { ...full, model: 'other-model', tools: { builtin: ['bash', 'web_fetch'] } })
  t.same(await bench.update('agent', 'reviewer'), [])
  t.same(domains(bench, 'web_fetch'), ['a.example'])
  t.match(bench.remote('agent', 'reviewer')['model'], { id: 'other-model', inference_geo: 'eu' })
  const limits = { web_fetch: { allowed_domains: ['b.example'] } }
  bench.declare('agent', 'reviewer', { ...full, tools: { builtin: ['web_fetch'], limits } })
  t.same(await bench.drift('agent', 'reviewer'), [
    'model/id',
    'tools/builtin/bash',
    'tools/limits/web_fetch/allowed_domains',
  ])
  t.same(await bench.update('agent', 'reviewer'), [])
  t.same(domains(bench, 'web_fetch'), ['b.example'])
})

t.test('a roster in a newer form counts as none', async (t) => {
  const bench = await opened(t)
  await bench.change(bench.id('agent', 'reviewer'), { multiagent: { type: 'multiagent_20271001', teams: [] } })
  t.same(await bench.drift('agent', 'reviewer'), [])
})

t.test(
  'an advisor, subagents and workflows: what is declared is set, what is not stays, and removing restores',
  async (t) => {
    const bench = await openClaude(t)
    for (const name of ['one', 'two']) {
      bench.declare('agent', name, { model: 'm', instructions: 'Help.' })
      await bench.create('agent', name)
    }
    const [one, two] = [bench.id('agent', 'one'), bench.id('agent', 'two')]
    const lead = (multiagent?: object, model = 'm') =>
      bench.declare('agent', 'lead', { model, instructions: 'Lead.', ...(multiagent ? { multiagent } : {}) })
    const drift = () => bench.drift('agent', 'lead')
    const updated = async () => {
      t.same(await bench.update('agent', 'lead'), [])
      t.same(await drift(), [])
      return bench.remote('agent', 'lead')['multiagent']
    }
    const [on, off] = [{ type: 'enabled' }, { type: 'disabled' }]
    const member = (id: string, version = 1) => ({ type: 'agent', id, version })

    lead({ subagents: { agents: ['one', { agent_id: two }], inline_agents: false } })
    await bench.create('agent', 'lead')
    const workflows = { ...on, inline_agents: on, predefined_agents: [] }
    const subagents = { ...on, inline_agents: off, predefined_agents: [member(one), member(two)] }
    t.strictSame(bench.remote('agent', 'lead')['multiagent'], {
      type: 'multiagent_20261001',
      advisor: off,
      subagents,
      workflows,
    })
    t.same(await drift(), [])

    // Set elsewhere where the file says nothing, it stays through every update.
    const advisor = { ...on, model: 'wise-model' }
    const theirs = { ...on, inline_agents: off, predefined_agents: [member(two)] }
    await bench.change(bench.id('agent', 'lead'), {
      multiagent: { type: 'multiagent_20261001', advisor, subagents, workflows: theirs },
    })
    t.same(await drift(), [])
    lead({ subagents: { agents: ['one'], inline_agents: true } }, 'other-model')
    t.strictSame(await updated(), {
      type: 'multiagent_20261001',
      advisor,
      subagents: { ...on, inline_agents: on, predefined_agents: [member(one)] },
      workflows: theirs,
    })

    // A member that is no longer declared gets the default of the service.
    lead({ advisor: { enabled: false }, workflows: { enabled: false }, subagents: { inline_agents: true } })
    t.strictSame(await updated(), { type: 'multiagent_20261001', advisor: off, subagents: workflows, workflows: off })
    lead({ advisor: { model: 'wiser-model' } })
    t.strictSame(await updated(), {
      type: 'multiagent_20261001',
      advisor: { ...on, model: 'wiser-model' },
      subagents: workflows,
      workflows,
    })

    // The form changes to the other one and back, and then goes.
    lead({ agents: ['one'] })
    t.strictSame(await updated(), { type: 'coordinator', agents: [member(one)] })
    lead({ type: 'multiagent_20261001' })
    t.strictSame(await updated(), { type: 'multiagent_20261001', advisor: off, subagents: workflows, workflows })
    lead()
    t.equal(await updated(), null)
  },
)

t.test('members that were pinned are pinned anew with every update, those set elsewhere are not', async (t) => {
  const bench = await openClaude(t)
  bench.declare('agent', 'one', { model: 'm', instructions: 'Help.' })
  const { id } = await bench.create('agent', 'one')
  const lead = (model: string) =>
    bench.declare('agent', 'lead', { model, instructions: 'Lead.', multiagent: { subagents: { agents: ['one'] } } })
  lead('m')
  await bench.create('agent', 'lead')
  const pinned = [{ type: 'agent', id, version: 1 }]
  await bench.request('POST', `/agents/${bench.id('agent', 'lead')}`, {
    multiagent: { type: 'multiagent_20261001', workflows: { type: 'enabled', predefined_agents: pinned } },
  })
  bench.declare('agent', 'one', { model: 'other', instructions: 'Help.' })
  t.same(await bench.update('agent', 'one'), [])
  lead('other')
  t.same(await bench.update('agent', 'lead'), [])
  t.match(bench.remote('agent', 'lead')['multiagent'], {
    subagents: { predefined_agents: [{ id, version: 2 }] },
    workflows: { predefined_agents: pinned },
  })
})

const mcp_server_url = 'https://mcp.example/tracker'

t.test('a second credential for the same server is refused as a duplicate, OAuth ones included', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', { credentials: [] })
  const { id } = await bench.create('vault', 'keys')
  const auth = { type: 'mcp_oauth', mcp_server_url, access_token: 'x' }
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 200)
  t.same([...(await bench.parts('vault', 'keys')).keys()], [mcp_server_url])
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 409)
  const desired = { auth: { type: 'static_bearer', mcp_server_url, token: 'x' } }
  const make = async () =>
    void (await bench.handler('vault').parts?.create(bench.call, String(id), { key: mcp_server_url, desired }))
  await t.rejects(make(), { class: 'nameTaken', code: 'conflict_error' })
})

t.test('an OAuth credential is refreshed by the service, and only what the file changes is sent', async (t) => {
  const bench = await openClaude(t)
  const refresh = {
    token_endpoint: 'https://auth.example/token',
    client_id: 'steward',
    refresh_token: 'r1',
    token_endpoint_auth: { type: 'client_secret_post', client_secret: 's1' },
    scope: 'read',
  }
  const oauth = { name: 'tracker', type: 'mcp_oauth', mcp_server_url, access_token: 'a1', refresh }
  const declare = (credential: object) => bench.declare('vault', 'keys', { credentials: [credential] })
  declare(oauth)
  const { id } = await bench.create('vault', 'keys')
  t.same(await bench.drift('vault', 'keys'), [])
  const [part] = [...(await bench.parts('vault', 'keys')).values()]
  const path = `/vaults/${String(id)}/credentials/${String(part?.['id'])}`
  t.notMatch(JSON.stringify(part), /"(a1|r1|s1)"/)
  await bench.request('POST', path, {
    auth: { type: 'mcp_oauth', access_token: 'a2', expires_at: '2027-01-01T00:00:00Z' },
  })
  t.same(await bench.drift('vault', 'keys'), [], 'a refresh is no drift')
  const lastSent = async () => (await bench.sent('POST', path)).at(-1)
  declare({ ...oauth, refresh: { ...refresh, scope: 'write' } })
  t.same(await bench.update('vault', 'keys'), [])
  const unchanged = { display_name: 'tracker', auth: { type: 'mcp_oauth', refresh: { scope: 'write' } } }
  t.strictSame(await lastSent(), unchanged, 'neither token is sent again')
  declare({ ...oauth, access_token: 'a3' })
  t.same(await bench.update('vault', 'keys'), [])
  t.match(await lastSent(), { auth: { access_token: '(sensitive)', refresh: { scope: 'read' } } })
})

t.test('calls of memory stores have only their own beta header', async (t) => {
  const bench = await openClaude(t)
  bench.declare('memory_store', 'notes', {})
  await bench.create('memory_store', 'notes')
  const refused = await bench.request('GET', '/memory_stores')
  t.equal(refused.status, 400, 'the header of the other calls is refused')
  t.same(await bench.listed('memory_store'), [bench.id('memory_store', 'notes')])
})

const message = { type: 'user.message', content: 'Go.' }

async function furnished(t: Parameters<typeof openClaude>[0], agent: object): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('memory_store', 'log', {})
  bench.declare('memory_store', 'wiki', {})
  bench.declare('agent', 'helper', {
    model: 'any',
    instructions: 'Help.',
    environment: 'sandbox',
    vault: 'keys',
    ...agent,
  })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

t.test('2.14 2.16 a run has the resources of the agent, which those of the deployment override', async (t) => {
  const bench = await furnished(t, {
    memory_stores: ['log', 'wiki'],
    resources: [{ type: 'memory_store', memory_store: 'wiki', access: 'read_only' }],
  })
  const own = { type: 'memory_store', memory_store: 'log', instructions: 'Write here.' }
  bench.declare('deployment', 'nightly', { agent: 'helper', initial_events: [message], resources: [own] })
  const remote = await bench.create('deployment', 'nightly')
  t.match(remote, {
    environment_id: bench.id('environment', 'sandbox'),
    vault_ids: [bench.id('vault', 'keys')],
    resources: [
      { memory_store_id: bench.id('memory_store', 'log'), instructions: 'Write here.' },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only' },
    ],
  })
  t.same((remote['resources'] as unknown[]).length, 2)
  t.same(await bench.drift('deployment', 'nightly'), [])
})

t.test('the error for a run that cannot start contains the reason', async (t) => {
  const bench = await furnished(t, {})
  bench.declare('deployment', 'nightly', { agent: 'helper', initial_events: [message] })
  await bench.create('deployment', 'nightly')
  await bench.request('POST', `/vaults/${bench.id('vault', 'keys')}/archive`, {})
  const id = bench.id('deployment', 'nightly')
  t.match(await refusalOf(bench.deployments.run(bench.call, { id, body: {} })), [
    { code: 'claude.run-failed', detail: /vault_archived_error/ },
  ])
  t.match(await all(bench.deployments.runs?.(bench.call, id)), [{ error: { type: 'vault_archived_error' } }])
})
