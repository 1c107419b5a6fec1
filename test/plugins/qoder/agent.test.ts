// Agents of Qoder's managed API, against the emulator.
import t from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import { builtinTools, fromWireName, toWireName } from '../../../plugins/qoder/tool-names.js'
import type { Workbench } from '../workbench.js'
import { openQoder } from './subject.js'

const manifest = { 'SKILL.md': '---\nname: review\ndescription: Reviews code\n---\nRead.\n' }
const minimal = { model: 'auto', instructions: 'Help.' }
const full = {
  description: 'Reviews pull requests',
  model: { qoder: 'ultimate', claude: 'another' },
  instructions: 'Review.\nBe kind.',
  tools: {
    builtin: ['bash', 'read', 'web_fetch', 'web_search'],
    default_permission: 'allow',
    permissions: { Bash: 'ask', 'Web-Search': 'ask' },
    mcp: [
      {
        type: 'mcp_toolkit',
        mcp_server_name: 'tracker',
        default_config: { enabled: true },
        configs: [
          { name: 'delete', enabled: false },
          { name: 'find', enabled: true },
        ],
      },
      { type: 'mcp_toolkit', mcp_server_name: 'wiki', configs: [{ name: 'search', enabled: true }] },
    ],
  },
  mcp_servers: [
    { name: 'tracker', type: 'url', url: 'https://mcp.example/tracker' },
    { name: 'wiki', type: 'http', url: 'https://mcp.example/wiki' },
    { name: 'plain', url: 'https://mcp.example/plain' },
  ],
  skills: [
    'review',
    { type: 'official', skill_id: 'skill_pdf', version: '1' },
    { type: 'official', skill_id: 'skill_spreadsheet' },
  ],
  multiagent: { type: 'coordinator', agents: ['helper', { agent_id: 'agent_external' }] },
  metadata: { team: 'data' },
} as const

async function withEverything(t: Parameters<typeof openQoder>[0]): Promise<Workbench> {
  const bench = await openQoder(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest })
  bench.declare('agent', 'helper', minimal)
  bench.declare('agent', 'reviewer', full)
  const external = { provider: 'qoder', kind: 'agent', id: 'agent_external' }
  await bench.request('POST', '/_emulator/objects', external)
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
  t.match(remote, { name: 'reviewer', model: 'ultimate', system: 'Review.\nBe kind.', archived_at: null })
  t.equal((await bench.listed('agent')).length, 3)
})

t.test('2.11 tools are sent with Pascal case names and a policy each', async (t) => {
  const bench = await withEverything(t)
  const sent = (await bench.sent('POST', '/agents')).at(-1)
  const policy = (type: string) => ({ enabled: true, permission_policy: { type } })
  t.strictSame(sent?.['tools'], [
    {
      type: 'agent_toolset_20260401',
      configs: [
        { name: 'Bash', ...policy('always_ask') },
        { name: 'Read', ...policy('always_allow') },
        { name: 'WebFetch', ...policy('always_allow') },
        { name: 'WebSearch', ...policy('always_ask') },
      ],
    },
    {
      type: 'mcp_toolset',
      mcp_server_name: 'tracker',
      default_config: { enabled: true },
      configs: [{ name: 'delete', enabled: false }],
    },
    {
      type: 'mcp_toolset',
      mcp_server_name: 'wiki',
      default_config: { enabled: false },
      configs: [{ name: 'search', enabled: true }],
    },
    { type: 'mcp_toolset', mcp_server_name: 'plain', default_config: { enabled: true } },
  ])
  t.strictSame(sent?.['mcp_servers'], [
    { name: 'tracker', type: 'http', url: 'https://mcp.example/tracker' },
    { name: 'wiki', type: 'http', url: 'https://mcp.example/wiki' },
    { name: 'plain', type: 'http', url: 'https://mcp.example/plain' },
  ])
})

t.test('tool names are converted to wire names and back', async (t) => {
  for (const name of builtinTools) t.equal(fromWireName(toWireName(name)), name)
  t.equal(toWireName('web_search'), 'WebSearch')
  t.equal(toWireName('web-search'), 'WebSearch')
})

t.test('without tools every built-in one is enabled, with an empty list none', async (t) => {
  const bench = await openQoder(t)
  bench.declare('agent', 'all', minimal)
  bench.declare('agent', 'none', { ...minimal, tools: { builtin: [] } })
  await bench.create('agent', 'all')
  await bench.create('agent', 'none')
  const [all, none] = await bench.sent('POST', '/agents')
  t.strictSame(all?.['tools'], [{ type: 'agent_toolset_20260401' }])
  t.strictSame(none?.['tools'], [])
  t.same(await bench.drift('agent', 'all'), [])
  t.same(await bench.drift('agent', 'none'), [])
})

t.test('equivalent notations of tools are not a change', async (t) => {
  const bench = await openQoder(t)
  bench.declare('agent', 'all', minimal)
  bench.declare('agent', 'some', { ...minimal, tools: { builtin: ['bash', 'web_fetch'] } })
  const all = await bench.create('agent', 'all')
  const some = await bench.create('agent', 'some')
  const toolset = (more: JsonObject) => ({ tools: [{ type: 'agent_toolset_20260401', ...more }] })
  await bench.change(String(all['id']), toolset({}))
  t.same(await bench.drift('agent', 'all'), [], 'as sent')
  await bench.change(String(all['id']), toolset({ default_config: { enabled: true }, configs: [] }))
  t.same(await bench.drift('agent', 'all'), [], 'with resolved defaults')
  await bench.change(String(some['id']), toolset({ enabled_tools: ['WebFetch', 'Bash'] }))
  t.same(await bench.drift('agent', 'some'), [], 'as an allow list')
  await bench.change(String(all['id']), toolset({ disallowed_tools: ['Bash'] }))
  t.not((await bench.drift('agent', 'all')).length, 0, 'a missing tool is a change')
  await bench.change(String(some['id']), {
    ...toolset({
      configs: [
        { name: 'WebFetch', enabled: true },
        { name: 'Bash', enabled: true },
        { name: 'Read', enabled: false },
      ],
    }),
  })
  t.same(await bench.drift('agent', 'some'), [], 'with disabled tools listed')
})

t.test(
  '2.13 a toolkit that enables a server takes exceptions, and those that change nothing are left out',
  async (t) => {
    const bench = await openQoder(t)
    const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } }
    const body = (configs: readonly JsonObject[]) => ({
      ...minimal,
      tools: { builtin: [], mcp: [{ ...toolkit, configs }] },
      mcp_servers: [{ name: 'maps', url: 'https://mcp.example' }],
    })
    bench.declare('agent', 'guide', body([{ name: 'delete', enabled: false }]))
    await bench.create('agent', 'guide')
    t.same(await bench.drift('agent', 'guide'), [])
    bench.declare('agent', 'guide', body([{ name: 'find', enabled: true }]))
    t.same(await bench.drift('agent', 'guide'), ['tools/mcp/maps/configs/delete'])
    t.same(await bench.update('agent', 'guide'), [])
  },
)

t.test('every field of an agent can be changed and cleared', async (t) => {
  const bench = await withEverything(t)
  const { tools } = full
  const changes = [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, model: 'auto' },
    { ...full, instructions: 'Other.' },
    { ...full, tools: { ...tools, permissions: {} } },
    { ...full, tools: { ...tools, default_permission: 'ask' } },
    { ...full, tools: { ...tools, builtin: ['bash', 'grep'] } },
    { ...full, tools: { ...tools, mcp: tools.mcp.slice(0, 1) } },
    { ...full, tools: undefined },
    { ...full, mcp_servers: [full.mcp_servers[0], { ...full.mcp_servers[1], url: 'https://mcp.example/moved' }] },
    { ...full, mcp_servers: undefined, tools: { builtin: ['bash'] } },
    { ...full, skills: ['review'] },
    { ...full, skills: [{ type: 'official', skill_id: 'skill_pdf', version: '2' }] },
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
})

t.test('2.15 rule 7 a roster that is not declared any more is cleared with null', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'reviewer', { ...full, multiagent: undefined })
  await bench.update('agent', 'reviewer')
  const [sent] = await bench.sent('PUT', bench.id('agent', 'reviewer'))
  t.strictSame(sent, { multiagent: null, version: 1 })
  t.equal(bench.remote('agent', 'reviewer')['multiagent'], null)
})

t.test(
  '2.15 rule 6 members are sent without versions, pinned by the server, and pinned anew when one moves',
  async (t) => {
    const bench = await withEverything(t)
    const [helper, reviewer] = [bench.id('agent', 'helper'), bench.id('agent', 'reviewer')]
    const sent = (await bench.sent('POST', '/agents')).at(-1)
    const roster = {
      type: 'coordinator',
      agents: [
        { type: 'agent', id: helper },
        { type: 'agent', id: 'agent_external' },
      ],
    }
    t.strictSame(sent?.['multiagent'], roster)
    t.match(bench.remote('agent', 'reviewer')['multiagent'], { agents: [{ id: helper, version: 1 }, { version: 1 }] })

    bench.declare('agent', 'helper', { ...minimal, instructions: 'Help more.' })
    await bench.update('agent', 'helper')
    t.equal(bench.outputs('agent', 'helper')['version'], '2')
    t.same(await bench.drift('agent', 'reviewer'), [], 'a pin is not compared')

    const handler = bench.handler('agent')
    const declaration = bench.project.find('agent', 'reviewer')
    const outputs: string[] = []
    const scope = {
      provider: 'qoder',
      api: 'managed',
      project: bench.project,
      output: (_kind: string, name: string, output = 'id') => {
        outputs.push(`${name} ${output}`)
        return bench.outputs('agent', name)[output] ?? ''
      },
      source: () => t.fail('agents have no source') as never,
    }
    if (declaration) handler.follows?.(declaration, scope)
    t.strictSame(
      outputs,
      ['helper version'],
      'versions of members of the project are tracked, those of external ones are not',
    )
    const remote = await handler.read(bench.call, reviewer)
    const observed = handler.observed(remote)
    await handler.update?.(bench.call, {
      id: reviewer,
      desired: observed,
      observed,
      remote,
      changes: [],
      sources: new Map(),
    })
    t.strictSame((await bench.sent('PUT', reviewer)).at(-1), { multiagent: roster, version: 1 })
    const { body } = await bench.request('GET', `/agents/${reviewer}`)
    t.match(body, { version: 2, multiagent: { agents: [{ id: helper, version: 2 }, { version: 1 }] } })
  },
)

t.test('an update sends the version that was read, and fails if there is a newer one', async (t) => {
  const bench = await withEverything(t)
  const handler = bench.handler('agent')
  const id = bench.id('agent', 'helper')
  const remote = await handler.read(bench.call, id)
  const observed = handler.observed(remote)
  await bench.change(id, { description: 'by hand' })
  const changes = [{ path: 'system', before: 'Help.', after: 'Other.' }]
  const request = { id, desired: { ...observed, system: 'Other.' }, observed, remote, changes, sources: new Map() }
  await t.rejects(async () => void (await handler.update?.(bench.call, request)), {
    class: 'stale',
    code: 'conflict_error',
  })
  t.match((await bench.request('GET', `/agents/${id}`)).body, { system: 'Help.', description: 'by hand', version: 2 })
})

t.test('the newer dialect refuses PUT and DELETE, so POST and archive are used', async (t) => {
  const bench = await withEverything(t)
  await bench.turn({ dialect: 'sdk' })
  bench.declare('agent', 'helper', { ...minimal, model: 'ultimate', description: 'Other' })
  t.same(await bench.update('agent', 'helper'), [])
  t.strictSame(bench.remote('agent', 'helper')['model'], { id: 'ultimate' }, 'models come back as objects')
  await bench.remove('agent', 'reviewer')
  t.equal(await bench.isGone('agent', 'reviewer'), true)
  t.equal((await bench.listed('agent')).length, 2, 'archived agents are not listed')
})

t.test('changes by other clients are planned and reverted', async (t) => {
  const bench = await withEverything(t)
  const id = bench.id('agent', 'reviewer')
  await bench.change(id, {
    model: 'auto',
    system: 'Be rude.',
    mcp_servers: [{ name: 'tracker', type: 'url', url: 'https://elsewhere.example' }],
    skills: [],
    multiagent: null,
    metadata: { stranger: 'yes' },
  })
  t.same(await bench.drift('agent', 'reviewer'), [
    'mcp_servers/plain/url',
    'mcp_servers/tracker/url',
    'mcp_servers/wiki/url',
    'metadata/stranger',
    'model',
    'multiagent/agents',
    'multiagent/type',
    'skills',
    'system',
  ])
  t.same(await bench.update('agent', 'reviewer'), [])
})

t.test('tools registered by clients are not drift, and are kept by an update', async (t) => {
  const bench = await withEverything(t)
  const custom = { type: 'custom', name: 'local', description: 'Runs here', input_schema: { type: 'object' } }
  const id = bench.id('agent', 'helper')
  await bench.change(id, { tools: [{ type: 'agent_toolset_20260401' }, custom] })
  t.same(await bench.drift('agent', 'helper'), [])
  bench.declare('agent', 'helper', { ...minimal, tools: { builtin: ['bash'] } })
  t.same(await bench.update('agent', 'helper'), [])
  t.match(bench.remote('agent', 'helper')['tools'], [{ configs: [{ name: 'Bash' }] }, custom])
})

t.test('an agent with a live session, or in a roster, is not removed; its sessions can be ended', async (t) => {
  const bench = await withEverything(t)
  const [helper, reviewer] = [bench.id('agent', 'helper'), bench.id('agent', 'reviewer')]
  await t.rejects(bench.remove('agent', 'helper'), { class: 'inUse', code: 'conflict_error' })
  const environment = await bench.seed('environment', {})
  const { body } = await bench.request('POST', '/sessions', { agent: reviewer, environment_id: environment })
  await t.rejects(bench.remove('agent', 'reviewer'), { class: 'inUse', code: 'conflict_error' })
  const blockers = (await bench.handler('agent').blockers?.(bench.call, reviewer)) ?? []
  t.match(blockers, [{ label: `session ${body['id']} (idle)` }])
  for (const blocker of blockers) await blocker.end(bench.call)
  await bench.remove('agent', 'reviewer')
  await bench.remove('agent', 'helper')
  t.equal((await bench.request('GET', `/agents/${helper}`)).status, 404)
})
