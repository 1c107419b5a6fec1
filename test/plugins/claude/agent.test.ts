// Agents on Claude, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const manifest = (text: string) => ({ 'SKILL.md': `---\nname: review\ndescription: Reviews code\n---\n${text}\n` })
const minimal = { model: 'any-model', instructions: 'Help.' }
const full = {
  description: 'Reviews pull requests',
  model: { claude: 'some-model', qoder: 'another' },
  instructions: 'Review.\nBe kind.',
  tools: {
    builtin: ['bash', 'read', 'WebFetch', 'download_file'],
    default_permission: 'allow',
    permissions: { Bash: 'ask' },
    mcp: [
      { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } },
      {
        type: 'mcp_toolkit',
        mcp_server_name: 'weather',
        configs: [
          { name: 'today', enabled: true },
          { name: 'alarm', enabled: false },
        ],
      },
    ],
  },
  mcp_servers: [
    { name: 'weather', type: 'http', url: 'https://mcp.example/weather' },
    { name: 'maps', url: 'https://mcp.example/maps' },
    { name: 'mail', type: 'url', url: 'https://mcp.example/mail' },
  ],
  skills: [
    'review',
    { type: 'official', skill_id: 'pptx' },
    { type: 'official', skill_id: 'pdf', version: '20250101' },
  ],
  multiagent: { agents: ['helper', { agent_id: 'agent_external' }] },
  metadata: { team: 'data' },
} as const

async function withEverything(t: Test): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  bench.declare('agent', 'helper', minimal)
  bench.declare('agent', 'reviewer', full)
  await bench.request('POST', '/_emulator/objects', { provider: 'claude', kind: 'agent', id: 'agent_external' })
  await bench.create('skill', 'review')
  await bench.create('agent', 'helper')
  await bench.create('agent', 'reviewer')
  return bench
}

t.test('an agent just created needs no change', async (t) => {
  const bench = await withEverything(t)
  t.same(await bench.drift('agent', 'helper'), [])
  t.same(await bench.drift('agent', 'reviewer'), [])
  const remote = bench.remote('agent', 'reviewer')
  t.same(bench.outputs('agent', 'reviewer'), { id: remote['id'], version: '1' })
  t.match(remote, { name: 'reviewer', model: { id: 'some-model', speed: 'standard' }, system: 'Review.\nBe kind.' })
  t.same(remote['skills'], [
    { type: 'custom', skill_id: bench.id('skill', 'review'), version: bench.outputs('skill', 'review')['version'] },
    { type: 'anthropic', skill_id: 'pptx', version: '20251013' },
    { type: 'anthropic', skill_id: 'pdf', version: '20250101' },
  ])
  t.same(remote['multiagent'], {
    type: 'coordinator',
    agents: [
      { type: 'agent', id: bench.id('agent', 'helper'), version: 1 },
      { type: 'agent', id: 'agent_external', version: 1 },
    ],
  })
})

t.test('2.11 enabled tools and their permissions reach the wire, unknown ones do not', async (t) => {
  const bench = await withEverything(t)
  const sent = (await bench.sent('POST', '/agents')).find(({ name }) => name === 'reviewer')
  const allow = { permission_policy: { type: 'always_allow' } }
  t.same(sent?.['tools'], [
    {
      type: 'agent_toolset_20260401',
      default_config: { enabled: false },
      configs: [
        { name: 'bash', enabled: true, permission_policy: { type: 'always_ask' } },
        { name: 'read', enabled: true, ...allow },
        { name: 'web_fetch', enabled: true, ...allow },
      ],
    },
    {
      type: 'mcp_toolset',
      mcp_server_name: 'weather',
      default_config: { enabled: false },
      configs: [{ name: 'today', enabled: true }],
    },
    { type: 'mcp_toolset', mcp_server_name: 'maps', default_config: { enabled: true } },
    { type: 'mcp_toolset', mcp_server_name: 'mail', default_config: { enabled: true } },
  ])
  t.match(sent?.['mcp_servers'], [{ name: 'weather', type: 'url', url: 'https://mcp.example/weather' }])
})

t.test('without tools every built-in one is enabled, with an empty list none', async (t) => {
  const bench = await openClaude(t)
  bench.declare('agent', 'all', minimal)
  bench.declare('agent', 'none', { ...minimal, tools: { builtin: [] } })
  await bench.create('agent', 'all')
  await bench.create('agent', 'none')
  t.match(bench.remote('agent', 'all')['tools'], [
    { type: 'agent_toolset_20260401', default_config: { enabled: true } },
  ])
  t.same(bench.remote('agent', 'none')['tools'], [])
  t.same(await bench.drift('agent', 'all'), [])
  t.same(await bench.drift('agent', 'none'), [])
})

t.test('2.13 a default that enables a server takes exceptions', async (t) => {
  const bench = await openClaude(t)
  const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } }
  const body = (configs: JsonObject[]) => ({
    ...minimal,
    tools: { builtin: [], mcp: [{ ...toolkit, configs }] },
    mcp_servers: [{ name: 'maps', url: 'https://mcp.example/maps' }],
  })
  bench.declare('agent', 'guide', body([{ name: 'delete', enabled: false }]))
  await bench.create('agent', 'guide')
  t.same(await bench.drift('agent', 'guide'), [])
  t.match(bench.remote('agent', 'guide')['tools'], [{ configs: [{ name: 'delete', enabled: false }] }])
  bench.declare('agent', 'guide', body([{ name: 'find', enabled: true }]))
  t.same(await bench.drift('agent', 'guide'), ['tools/mcp/maps/delete'], 'find is enabled by default')
  t.same(await bench.update('agent', 'guide'), [])
})

t.test('every field of an agent can be changed and cleared', async (t) => {
  const bench = await withEverything(t)
  const { tools, mcp_servers } = full
  const [weather, maps, mail] = mcp_servers
  const withoutMaps = { ...tools, mcp: tools.mcp.filter(({ mcp_server_name }) => mcp_server_name !== 'maps') }
  const changes = [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, model: 'other-model' },
    { ...full, instructions: 'Other.' },
    { ...full, tools: { ...tools, permissions: {} } },
    { ...full, tools: { ...tools, default_permission: 'ask' } },
    { ...full, tools: { ...tools, builtin: ['bash', 'grep'] } },
    { ...full, tools: { ...tools, builtin: [] } },
    { ...full, tools: undefined },
    { ...full, tools: withoutMaps, mcp_servers: [weather, mail] },
    { ...full, mcp_servers: [weather, { ...maps, url: 'https://mcp.example/other' }, mail] },
    { ...full, mcp_servers: undefined, tools: { ...tools, mcp: undefined } },
    { ...full, skills: ['review'] },
    { ...full, skills: undefined },
    { ...full, multiagent: { agents: ['helper'] } },
    { ...full, multiagent: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    minimal,
    full,
  ]
  for (const body of changes) {
    bench.declare('agent', 'reviewer', body)
    t.not((await bench.drift('agent', 'reviewer')).length, 0, 'the plan shows the change')
    t.same(await bench.update('agent', 'reviewer'), [], 'the second plan is empty')
  }
  t.match(bench.remote('agent', 'reviewer'), { version: changes.length + 1 })
})

t.test('2.15 rule 7 removing multiagent clears the roster with an explicit null', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'reviewer', { ...full, multiagent: undefined })
  t.same(await bench.drift('agent', 'reviewer'), ['multiagent/agents', 'multiagent/type'])
  t.same(await bench.update('agent', 'reviewer'), [])
  const [sent] = await bench.sent('POST', `/agents/${bench.id('agent', 'reviewer')}`)
  t.same(sent, { multiagent: null, version: 1 }, 'only the roster is sent')
})

t.test('2.15 rule 6 a coordinator is saved again when a member has a new version, which it then pins', async (t) => {
  const bench = await withEverything(t)
  const { follows, update, observed } = bench.handler('agent')
  const declaration = bench.project.find('agent', 'reviewer')
  t.ok(declaration)
  if (!declaration || !update || !follows) return
  const scope = { provider: 'claude', api: '', project: bench.project, source: () => t.fail('no source') as never }
  const output = (kind: string, name: string, output = 'id') => `${output} of ${kind} ${name}`
  t.same(follows(declaration, { ...scope, output }), ['version of agent helper'])
  bench.declare('agent', 'helper', { ...minimal, instructions: 'Other.' })
  await bench.update('agent', 'helper')
  const remote = bench.remote('agent', 'reviewer')
  const desired = observed(remote)
  const id = bench.id('agent', 'reviewer')
  const saved = await update(bench.call, { id, remote, desired, observed: desired, changes: [], sources: new Map() })
  t.match(saved['multiagent'], { agents: [{ id: bench.id('agent', 'helper'), version: 2 }, { version: 1 }] })
})

t.test('changes by other clients are planned tool by tool, and reverted', async (t) => {
  const bench = await withEverything(t)
  const toolset = {
    type: 'agent_toolset_20260401',
    default_config: { enabled: false },
    configs: [
      { name: 'bash', enabled: true, permission_policy: { type: 'auto' } },
      { name: 'glob', enabled: true },
      { name: 'read', enabled: true, permission_policy: { type: 'always_allow' } },
    ],
  }
  await bench.change(bench.id('agent', 'reviewer'), {
    description: null,
    model: { speed: 'fast' },
    tools: [toolset],
    mcp_servers: [],
    metadata: { by: 'hand' },
  })
  t.same(await bench.drift('agent', 'reviewer'), [
    'description',
    'mcp_servers/mail',
    'mcp_servers/maps',
    'mcp_servers/weather',
    'metadata/by',
    'model/speed',
    'tools/builtin/bash',
    'tools/builtin/glob',
    'tools/builtin/web_fetch',
    'tools/mcp/mail/*',
    'tools/mcp/maps/*',
    'tools/mcp/weather/today',
  ])
  t.same(await bench.update('agent', 'reviewer'), [])
})

t.test('settings that agents.yaml cannot declare stay: effort, custom tools, policies of MCP tools', async (t) => {
  const bench = await withEverything(t)
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
      { mcp_server_name: 'mail' },
      custom,
    ],
  })
})

t.test('a new version of a skill reaches the agents that use it', async (t) => {
  const bench = await withEverything(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
  await bench.update('skill', 'review')
  t.same(await bench.drift('agent', 'reviewer'), [`skills/${bench.id('skill', 'review')}/version`])
  t.same(await bench.update('agent', 'reviewer'), [])
})

t.test('an update from an older version is refused as stale', async (t) => {
  const bench = await withEverything(t)
  const { update, observed } = bench.handler('agent')
  const id = bench.id('agent', 'reviewer')
  const remote = bench.remote('agent', 'reviewer')
  const again = { id, remote, desired: observed(remote), observed: observed(remote), changes: [], sources: new Map() }
  t.match(await update?.(bench.call, again), { version: 2 })
  const repeat = async () => void (await update?.(bench.call, again))
  await t.rejects(repeat(), { class: 'stale', code: 'conflict_error' })
})

t.test('removing an agent archives it, however often; an archived one counts as gone', async (t) => {
  const bench = await withEverything(t)
  await bench.remove('agent', 'reviewer')
  await bench.remove('agent', 'reviewer')
  t.equal(await bench.isGone('agent', 'reviewer'), true)
  t.same(await bench.listed('agent'), [bench.id('agent', 'helper'), 'agent_external'])
  t.equal(bench.handler('agent').removal, 'archive')
})

t.test('a roster in a newer form counts as none', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'reviewer', { ...full, multiagent: undefined })
  await bench.update('agent', 'reviewer')
  await bench.change(bench.id('agent', 'reviewer'), { multiagent: { type: 'multiagent_20261001', teams: [] } })
  t.same(await bench.drift('agent', 'reviewer'), [])
})
