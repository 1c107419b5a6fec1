// Forward agents: templates of Qoder's forward API, against the emulator.
import t, { type Test } from 'tap'
import { testCourses } from '../providers/course.js'
import type { Workbench } from '../workbench.js'
import { openForward } from './subject.js'

const delivery = { qoder: { type: 'forward' } } as const
const minimal = { model: 'auto', instructions: 'Help.', environment: 'box', delivery }
const full = {
  ...minimal,
  description: 'Answers customers',
  tools: { builtin: ['bash', 'web_fetch'], permissions: { bash: 'ask' } },
  mcp_servers: [{ name: 'wiki', url: 'https://mcp.example/wiki' }],
  skills: ['review', { type: 'official', skill_id: 'skill_forward_pdf' }],
  vault: 'keys',
  files: ['handbook', { file: 'table', mount_path: 'table.csv' }],
  environment_variables: { LANGUAGE: 'en', MODE: 'a;b=c' },
  tunnel: 'office',
  multiagent: { agents: ['helper'] },
  managed_tool_config: { enabled_tools: ['list_forward_schedules', 'create_forward_schedule'] },
  metadata: { team: 'data' },
} as const

async function furnish(bench: Workbench): Promise<void> {
  for (const name of ['box', 'other']) bench.declare('environment', name, {})
  bench.declare('vault', 'keys', {})
  bench.declare('skill', 'review', { source: 'review' }, { review: { 'SKILL.md': '---\nname: review\n---\nRead.\n' } })
  bench.declare('file', 'handbook', { source: 'handbook.md' }, { 'handbook.md': 'text' })
  bench.declare('file', 'table', { source: 'table.csv' }, { 'table.csv': '1,2' })
  bench.declare('agent', 'helper', minimal)
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  bench.declare('tunnel', 'office', { tunnel_id: 'tnl_emulator' })
}

testCourses(t, 'agent', {
  'qoder, forward': {
    open: openForward,
    furnish,
    full,
    others: { plain: minimal },
    made: (bench) => ({
      type: 'template',
      environment_id: bench.id('environment', 'box'),
      vaults: { [bench.id('vault', 'keys')]: { enabled: true } },
      files: { [bench.id('file', 'handbook')]: { enabled: true } },
      environment_variables: { LANGUAGE: 'en', MODE: 'a;b=c' },
      tunnel_id: 'tnl_emulator',
      multiagent: { type: 'coordinator', agents: [{ type: 'agent', template_id: bench.id('agent', 'helper') }] },
    }),
    changes: [
      { ...full, description: undefined },
      { ...full, model: 'ultimate' },
      { ...full, instructions: 'Other.' },
      { ...full, environment: 'other' },
      { ...full, tools: { builtin: ['bash'] } },
      { ...full, mcp_servers: undefined },
      { ...full, skills: ['review'] },
      { ...full, skills: undefined },
      { ...full, vault: undefined },
      { ...full, files: ['handbook', 'table'] },
      { ...full, files: undefined },
      { ...full, environment_variables: { LANGUAGE: 'de' } },
      { ...full, environment_variables: undefined },
      { ...full, tunnel: undefined },
      { ...full, multiagent: undefined },
      { ...full, managed_tool_config: { enabled_tools: ['delete_forward_schedule'] } },
      { ...full, managed_tool_config: { enabled_tools: [] } },
      { ...full, metadata: { owner: 'me' } },
      { ...full, metadata: undefined },
      minimal,
      full,
    ],
    byHand: {
      change: {
        environment_variables: { LANGUAGE: 'fr', EXTRA: 'x' },
        managed_tool_config: { enabled_tools: ['drive'] },
        skills: [],
      },
      seen: ['environment_variables/EXTRA', 'environment_variables/LANGUAGE', 'managed_tool_config', 'skills'],
    },
  },
})

async function withEverything(t: Test): Promise<Workbench> {
  const bench = await openForward(t)
  await furnish(bench)
  bench.declare('agent', 'front', full)
  await bench.create('agent', 'front')
  return bench
}

t.test('2.11 mounted files are not inherited, and disabled members count as absent', async (t) => {
  const bench = await withEverything(t)
  const handbook = bench.id('file', 'handbook')
  t.strictSame(Object.keys(bench.remote('agent', 'front')['files'] ?? {}), [handbook])
  const counted = { files: { [handbook]: { enabled: true }, total: false } }
  t.strictSame(bench.handler('agent').observed(counted)['files'], [handbook], 'what the service adds is no file')
  await bench.change(bench.id('agent', 'front'), {
    environment_id: bench.id('environment', 'other'),
    files: { [handbook]: { enabled: false } },
    skills: [{ type: 'custom', skill_id: bench.id('skill', 'review'), enabled: false }],
  })
  t.same(await bench.drift('agent', 'front'), ['environment_id', 'files', 'skills'])
  t.same(await bench.update('agent', 'front'), [])
})

t.test('2.4 rule 1 a declared list replaces the whole set of managed tools, an empty one turns them off', async (t) => {
  const bench = await withEverything(t)
  const enabled = () => bench.remote('agent', 'front')['managed_tool_config']
  t.match(enabled(), { enabled_tools: ['create_forward_schedule', 'list_forward_schedules'] })
  bench.declare('agent', 'front', { ...full, managed_tool_config: { enabled_tools: [] } })
  await bench.update('agent', 'front')
  t.strictSame(enabled(), { enabled_tools: [] })
  t.strictSame((await bench.sent('POST', bench.id('agent', 'front'))).at(-1), {
    managed_tool_config: { enabled_tools: [] },
  })
})

t.test('2.4 rule 2 without a declaration managed tools are neither sent nor compared', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'front', { ...full, managed_tool_config: undefined, description: 'Other' })
  t.same(await bench.drift('agent', 'front'), ['description'])
  t.same(await bench.update('agent', 'front'), [])
  t.notOk('managed_tool_config' in ((await bench.sent('POST', bench.id('agent', 'front'))).at(-1) ?? {}))
  t.match(bench.remote('agent', 'front')['managed_tool_config'], {
    enabled_tools: ['create_forward_schedule', 'list_forward_schedules'],
  })
  t.match(bench.handler('agent').fields['managed_tool_config'], { owner: 'whileDeclared' })
})

t.test('2.4 rule 3 a replaced template has no managed tools unless they are declared', async (t) => {
  const bench = await withEverything(t)
  await bench.remove('agent', 'front')
  t.equal(await bench.isGone('agent', 'front'), true, 'archived counts as gone')
  bench.declare('agent', 'front', { ...full, managed_tool_config: undefined })
  await bench.create('agent', 'front')
  t.strictSame(bench.remote('agent', 'front')['managed_tool_config'], { enabled_tools: [] })
  t.same(await bench.drift('agent', 'front'), [])
})

t.test('2.15 rule 7 a roster that is not declared any more is cleared with null', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'front', { ...full, multiagent: undefined })
  await bench.update('agent', 'front')
  t.strictSame((await bench.sent('POST', bench.id('agent', 'front'))).at(-1), { multiagent: null })
})

t.test('cleared members are sent as null where the API requires it', async (t) => {
  const bench = await withEverything(t)
  bench.declare('agent', 'front', {
    ...full,
    vault: undefined,
    files: undefined,
    environment_variables: undefined,
    tunnel: undefined,
  })
  await bench.update('agent', 'front')
  t.strictSame((await bench.sent('POST', bench.id('agent', 'front'))).at(-1), {
    vaults: null,
    files: null,
    environment_variables: null,
    tunnel_id: null,
  })
})

t.test('names of templates are unique among those that are not archived', async (t) => {
  const bench = await withEverything(t)
  await bench.seed('agent', { name: 'taken' }, { api: 'forward' })
  bench.declare('agent', 'taken', minimal)
  await t.rejects(bench.create('agent', 'taken'), { class: 'nameTaken', code: 'template_name_taken' })
})
