// Agents on bailian, against the emulator.
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const manifest = (text: string) => ({ 'SKILL.md': `---\nname: review\ndescription: Reviews code\n---\n${text}\n` })
const minimal = { model: 'qwen3.8-max', instructions: 'Help.' }
const full = {
  description: 'Reviews pull requests',
  model: { bailian: 'qwen3.7-max', claude: 'another' },
  instructions: 'Review.\nBe kind.',
  tools: {
    builtin: ['bash', 'read', 'download_file', 'web_search'],
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
  mcp_servers: [{ name: 'weather', type: 'official' }, { name: 'maps' }],
  skills: ['review', { type: 'official', skill_id: 'pptx' }, { type: 'official', skill_id: 'pdf', version: '1.0' }],
  multiagent: { agents: ['helper', { agent_id: 'agent_external' }] },
  metadata: { team: 'data' },
}

async function withEverything(t: Test): Promise<Workbench> {
  const bench = await openBailian(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  bench.declare('agent', 'helper', minimal)
  bench.declare('agent', 'reviewer', full)
  await bench.request('POST', '/_emulator/objects', { provider: 'bailian', kind: 'agent', id: 'agent_external' })
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
  t.same(bench.handler('agent').outputs(remote), { id: remote['id'], version: '1' })
  t.match(remote, { name: 'reviewer', model: { id: 'qwen3.7-max' }, system: 'Review.\nBe kind.', archived_at: null })
  t.same(remote['skills'], [
    { type: 'customer', skill_id: bench.id('skill', 'review'), version: '1.0' },
    { type: 'official', skill_id: 'pptx', version: '1.0' },
    { type: 'official', skill_id: 'pdf', version: '1.0' },
  ])
  t.same(remote['multiagent'], {
    type: 'coordinator',
    agents: [
      { type: 'agent', id: bench.id('agent', 'helper') },
      { type: 'agent', id: 'agent_external' },
    ],
  })
})

t.test('2.11 enabled tools and their permissions reach the wire, unknown ones do not', async (t) => {
  const bench = await withEverything(t)
  const { body } = await bench.request('GET', '/_emulator/requests')
  const sent = (body['requests'] as { method: string; path: string; body: { name?: string; tools?: unknown } }[]).find(
    (request) => request.path === '/agents' && request.body?.name === 'reviewer',
  )
  const allow = { permission_policy: { type: 'always_allow' } }
  t.same(sent?.body.tools, [
    {
      type: 'builtin_toolkit',
      default_config: { enabled: false },
      configs: [
        { name: 'bash', enabled: true, permission_policy: { type: 'always_ask' } },
        { name: 'read', enabled: true, ...allow },
        { name: 'download_file', enabled: true, ...allow },
      ],
    },
    { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true }, configs: [] },
    {
      type: 'mcp_toolkit',
      mcp_server_name: 'weather',
      default_config: { enabled: false },
      configs: [{ name: 'today', enabled: true }],
    },
  ])
})

t.test('without tools every built-in one is enabled, with an empty list none', async (t) => {
  const bench = await openBailian(t)
  bench.declare('agent', 'all', minimal)
  bench.declare('agent', 'none', { ...minimal, tools: { builtin: [] } })
  await bench.create('agent', 'all')
  await bench.create('agent', 'none')
  t.match(bench.remote('agent', 'all')['tools'], [
    { type: 'builtin_toolkit', default_config: { enabled: true }, configs: [] },
  ])
  t.same(bench.remote('agent', 'none')['tools'], [])
  t.same(await bench.drift('agent', 'all'), [])
  t.same(await bench.drift('agent', 'none'), [])
})

t.test('2.13 a default that enables a server takes exceptions', async (t) => {
  const bench = await openBailian(t)
  const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } }
  const body = (configs: JsonObject[]) => ({
    ...minimal,
    tools: { builtin: [], mcp: [{ ...toolkit, configs }] },
    mcp_servers: [{ name: 'maps' }],
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
  const { tools } = full
  const changes = [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, model: 'qwen3.8-max' },
    { ...full, instructions: 'Other.' },
    { ...full, tools: { ...tools, permissions: {} } },
    { ...full, tools: { ...tools, default_permission: 'ask' } },
    { ...full, tools: { ...tools, builtin: ['bash', 'grep'] } },
    { ...full, tools: { ...tools, builtin: [] } },
    { ...full, mcp_servers: [{ name: 'weather' }] },
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

t.test('2.15 rule 7 removing multiagent clears the roster with an empty array', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'reviewer', { ...full, multiagent: undefined })
  t.same(await bench.drift('agent', 'reviewer'), ['multiagent/agents'])
  t.same(await bench.update('agent', 'reviewer'), [])
  t.same(bench.remote('agent', 'reviewer')['multiagent'], { type: 'coordinator', agents: [] })
  await bench.request('PATCH', `/_emulator/objects/${bench.id('agent', 'reviewer')}`, { multiagent: null })
  t.same(await bench.drift('agent', 'reviewer'), [], 'null, absent and empty are equal')
})

t.test('changes by other clients are planned tool by tool, and reverted', async (t) => {
  const bench = await withEverything(t)
  const path = `/_emulator/objects/${bench.id('agent', 'reviewer')}`
  const toolkit = {
    type: 'builtin_toolkit',
    configs: [
      { name: 'bash', enabled: true },
      { name: 'glob', enabled: true },
      { name: 'read', enabled: true, permission_policy: { type: 'always_allow' } },
      { name: 'download_file', enabled: false },
    ],
  }
  await bench.request('PATCH', path, { description: '', tools: [toolkit], metadata: { by: 'x' } })
  t.same(await bench.drift('agent', 'reviewer'), [
    'description',
    'metadata/by',
    'tools/builtin/bash',
    'tools/builtin/download_file',
    'tools/builtin/glob',
    'tools/mcp/maps/*',
    'tools/mcp/weather/today',
  ])
  t.same(await bench.update('agent', 'reviewer'), [])
})

t.test('undeclared members are kept: model settings, versions of skills by id, a self member', async (t) => {
  const bench = await withEverything(t)
  const { skills, multiagent } = bench.remote('agent', 'reviewer') as {
    skills: { skill_id: string; version: string }[]
    multiagent: { agents: object[] }
  }
  await bench.request('PATCH', `/_emulator/objects/${bench.id('agent', 'reviewer')}`, {
    model: { id: 'qwen3.7-max', temperature: 0.2 },
    multiagent: { type: 'coordinator', agents: [{ type: 'self' }, ...multiagent.agents] },
  })
  t.same(await bench.drift('agent', 'reviewer'), [])
  bench.declare('agent', 'reviewer', { ...full, description: 'Other' })
  t.same(await bench.update('agent', 'reviewer'), [])
  t.match(bench.remote('agent', 'reviewer'), { model: { temperature: 0.2 }, skills })
  t.match(bench.remote('agent', 'reviewer')['multiagent'], { agents: [{ type: 'self' }, ...multiagent.agents] })
  bench.declare('agent', 'reviewer', { ...full, model: 'qwen3.8-max' })
  await bench.update('agent', 'reviewer')
  t.notMatch(
    bench.remote('agent', 'reviewer'),
    { model: { temperature: 0.2 } },
    'settings are reset with another model',
  )
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
  t.match(await update?.(bench.call, again), { version: 2 }, 'an identical body makes a version, too')
  await t.rejects(async () => void (await update?.(bench.call, again)), { class: 'stale', code: 'conflict_error' })
})

t.test('removing an agent archives it, and an archived one counts as gone', async (t) => {
  const bench = await withEverything(t)
  await bench.remove('agent', 'reviewer')
  t.equal(await bench.isGone('agent', 'reviewer'), true)
  t.same(await bench.listed('agent'), ['agent_external', bench.id('agent', 'helper')].reverse())
  t.equal(bench.handler('agent').removal, 'archive')
  bench.declare('agent', 'reviewer', minimal)
  await t.rejects(bench.update('agent', 'reviewer'), { class: 'stale', code: 'conflict_error' })
})

t.test('a create of an agent whose skill is being scanned can be retried', async (t) => {
  const bench = await openBailian(t)
  await bench.request('PUT', '/_emulator/knobs', { scans: { reads: 10 } })
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await bench.create('skill', 'review')
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
  await bench.update('skill', 'review')
  bench.declare('agent', 'reviewer', { ...minimal, skills: ['review'] })
  await t.rejects(bench.create('agent', 'reviewer'), { class: 'retry', code: 'AGENT_010' })
})
