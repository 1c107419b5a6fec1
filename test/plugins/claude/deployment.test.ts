// Deployments on Claude and their runs, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import type { Call, Remote } from '../../../core/plugin/handler.js'
import type { ClaudeClient } from '../../../plugins/claude/client.js'
import { deployments } from '../../../plugins/claude/deployment-run.js'
import type { Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const message = { type: 'user.message', content: 'Go.' }
const minimal = { agent: 'helper', environment: 'sandbox', initial_events: [message] }
const repository = {
  type: 'git_repository',
  url: 'https://git.example/acme/tools.git',
  authorization_token: 'ghp_very_secret',
  checkout: { branch: 'main' },
} as const
const full = {
  agent: 'helper',
  environment: 'sandbox',
  description: 'Runs at night',
  vaults: ['keys'],
  memory_stores: ['log'],
  resources: [
    { type: 'file', source: 'data/in.csv', mount_path: 'in/data.csv' },
    { type: 'file', source: 'data/more.csv' },
    { type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' },
    repository,
  ],
  initial_events: [
    { type: 'system.message', content: 'Be brief.' },
    { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
    { type: 'user.define_outcome', description: 'Done well', rubric_file: 'rubric.md' },
    { type: 'user.define_outcome', description: 'Done soon', rubric: 'Fast.', max_iterations: 5 },
  ],
  schedule: { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  metadata: { team: 'data' },
} as const
const contents = { 'data/in.csv': 'a,b', 'data/more.csv': 'a,b', 'rubric.md': 'Good.' }

async function furnished(t: Test, agent: object = {}): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('memory_store', 'log', {})
  bench.declare('memory_store', 'wiki', {})
  bench.declare('agent', 'helper', { model: 'any', instructions: 'Help.', ...agent })
  for (const [kind, name] of [
    ['environment', 'sandbox'],
    ['vault', 'keys'],
    ['memory_store', 'log'],
    ['memory_store', 'wiki'],
    ['agent', 'helper'],
  ] as const)
    await bench.create(kind, name)
  return bench
}

async function nightly(t: Test, body: object = full): Promise<Workbench> {
  const bench = await furnished(t)
  bench.declare('deployment', 'nightly', body, contents)
  await bench.create('deployment', 'nightly')
  return bench
}

const call = (bench: Workbench) => bench.call as Call<ClaudeClient> // The workbench connected this provider.

async function runsOf(bench: Workbench): Promise<readonly Remote[]> {
  const found: Remote[] = []
  for await (const run of deployments.runs?.(call(bench), bench.id('deployment', 'nightly')) ?? []) found.push(run)
  return found
}

t.test('2.16 a deployment just created needs no change', async (t) => {
  const bench = await nightly(t)
  t.same(await bench.drift('deployment', 'nightly'), [])
  bench.declare('deployment', 'plain', minimal)
  await bench.create('deployment', 'plain')
  t.same(await bench.drift('deployment', 'plain'), [])
  const id = (name: string) => bench.id('file', `nightly~${name}`)
  t.match(bench.remote('deployment', 'nightly'), {
    agent: { type: 'agent', id: bench.id('agent', 'helper'), version: 1 },
    vault_ids: [bench.id('vault', 'keys')],
    resources: [
      { type: 'file', file_id: id('data/in.csv'), mount_path: '/workspace/in/data.csv' },
      { type: 'file', file_id: id('data/more.csv'), mount_path: `/mnt/session/uploads/${id('data/more.csv')}` },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
      { type: 'github_repository', url: 'https://git.example/acme/tools', mount_path: '/workspace/tools' },
      { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
    ],
    initial_events: [
      { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
      { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
      { rubric: { type: 'file', file_id: id('rubric.md') }, max_iterations: 3 },
      { rubric: { type: 'text', content: 'Fast.' }, max_iterations: 5 },
    ],
    schedule: { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  })
  t.equal(bench.remote('file', 'nightly~data/more.csv')['filename'], 'more.csv', 'equal bytes under another name')
})

t.test('2.16 every field of a deployment can be changed and cleared', async (t) => {
  const bench = await nightly(t)
  const [file, , store] = full.resources
  const changes = [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, vaults: undefined },
    { ...full, memory_stores: undefined },
    { ...full, resources: [file] },
    { ...full, resources: undefined },
    { ...full, resources: [{ ...file, mount_path: 'elsewhere.csv' }, store, repository] },
    { ...full, resources: [{ ...store, access: 'read_write' }] },
    { ...full, resources: [{ ...repository, checkout: { commit: 'a'.repeat(40) } }] },
    { ...full, resources: [{ ...repository, checkout: undefined }] },
    { ...full, initial_events: [message] },
    { ...full, schedule: { expression: '0 9 * * *', timezone: 'UTC' } },
    { ...full, schedule: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    full,
  ]
  for (const body of changes) {
    bench.declare('deployment', 'nightly', body, contents)
    t.not((await bench.drift('deployment', 'nightly')).length, 0, 'the plan shows the change')
    t.same(await bench.update('deployment', 'nightly'), [], 'the second plan is empty')
  }
  t.equal(bench.remote('deployment', 'nightly')['description'], 'Runs at night')
})

t.test('2.16 a deployment follows its agent to new versions unless it names one', async (t) => {
  const bench = await nightly(t)
  bench.declare('deployment', 'pinned', { ...minimal, agent_version: 1 })
  await bench.create('deployment', 'pinned')
  bench.declare('agent', 'helper', { model: 'any', instructions: 'Help more.' })
  await bench.update('agent', 'helper')
  t.same(await bench.drift('deployment', 'nightly'), ['agent/version'])
  t.same(await bench.update('deployment', 'nightly'), [])
  t.match(bench.remote('deployment', 'nightly'), { agent: { version: 2 } })
  t.same(await bench.drift('deployment', 'pinned'), [])
  bench.declare('deployment', 'pinned', { ...minimal, agent_version: 1, description: 'Stays' })
  t.same(await bench.update('deployment', 'pinned'), [])
  t.match(bench.remote('deployment', 'pinned'), { agent: { version: 1 } })
})

t.test('2.14 2.16 a run has the resources of the agent, which those of the deployment override', async (t) => {
  const bench = await furnished(t, {
    environment: 'sandbox',
    vault: 'keys',
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

t.test('the token of a repository is secret, and sent again with the other resources', async (t) => {
  const bench = await nightly(t)
  t.match(bench.handler('deployment').fields['resources/*/authorization_token'], { secret: true, writeOnly: true })
  t.notMatch(JSON.stringify((await bench.request('GET', '/_emulator/requests')).body), /very_secret/)
  bench.declare('deployment', 'nightly', { ...full, resources: [repository] }, contents)
  await bench.update('deployment', 'nightly')
  const [sent] = await bench.sent('POST', bench.id('deployment', 'nightly'))
  t.match(sent, { resources: [{ type: 'github_repository', authorization_token: '(sensitive)' }] })
})

t.test('changes by other clients are planned and reverted; a pause is not drift', async (t) => {
  const bench = await nightly(t)
  const id = bench.id('deployment', 'nightly')
  await bench.request('POST', `/deployments/${id}`, {
    description: 'x',
    schedule: null,
    resources: [],
    metadata: { a: 'b' },
  })
  await deployments.pause?.(call(bench), id)
  const drift = await bench.drift('deployment', 'nightly')
  t.same([...new Set(drift.map((path) => path.split('/')[0]))], ['description', 'metadata', 'resources', 'schedule'])
  t.same(await bench.update('deployment', 'nightly'), [])
  t.equal(bench.remote('deployment', 'nightly')['status'], 'paused')
})

t.test('removing a deployment archives it once', async (t) => {
  const bench = await nightly(t)
  t.equal(bench.handler('deployment').removal, 'archive')
  await bench.remove('deployment', 'nightly')
  await bench.remove('deployment', 'nightly')
  t.equal(await bench.isGone('deployment', 'nightly'), true)
  t.same(await bench.listed('deployment'), [])
})

t.test('a deployment is run, paused and resumed, and its runs are listed', async (t) => {
  const bench = await nightly(t)
  const id = bench.id('deployment', 'nightly')
  const run = await deployments.run(call(bench), { id, body: {} })
  t.match(run, { deployment_id: id, session_id: String, error: null })
  t.match(await deployments.pause?.(call(bench), id), { status: 'paused' })
  t.match(await deployments.resume?.(call(bench), id), { status: 'active' })
  t.same(
    (await runsOf(bench)).map((one) => one['id']),
    [run['id']],
  )
})

t.test('the error for a run that cannot start contains the reason', async (t) => {
  const bench = await nightly(t)
  await bench.request('POST', `/vaults/${bench.id('vault', 'keys')}/archive`, {})
  const id = bench.id('deployment', 'nightly')
  const refused = await deployments.run(call(bench), { id, body: {} }).catch((error: unknown) => error)
  t.match(refused, { diagnostics: [{ code: 'claude.run-failed', detail: /vault_archived_error/ }] })
  t.match(await runsOf(bench), [{ error: { type: 'vault_archived_error' } }])
})
