// Deployments on Qoder and their runs, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { Call, Remote } from '../../../core/plugin/handler.js'
import type { QoderClient } from '../../../plugins/qoder/client.js'
import { deployments } from '../../../plugins/qoder/deployment-run.js'
import type { Workbench } from '../workbench.js'
import { openQoder } from './subject.js'

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
  environment_variables: { B: '2=2', A: '1' },
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

async function nightly(t: Test, body: object = full): Promise<Workbench> {
  const bench = await openQoder(t)
  bench.declare('environment', 'sandbox', {})
  bench.declare('vault', 'keys', {})
  for (const name of ['log', 'wiki']) bench.declare('memory_store', name, {})
  bench.declare('agent', 'helper', { model: 'auto', instructions: 'Help.' })
  bench.declare('deployment', 'nightly', body, contents)
  const all = [
    ['environment', 'sandbox'],
    ['vault', 'keys'],
    ['memory_store', 'log'],
    ['memory_store', 'wiki'],
    ['agent', 'helper'],
    ['deployment', 'nightly'],
  ] as const
  for (const [kind, name] of all) await bench.create(kind, name)
  return bench
}

const call = (bench: Workbench) => bench.call as Call<QoderClient> // The workbench connected this provider.

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
    environment_variables: 'B=2=2;A=1',
    vault_ids: [bench.id('vault', 'keys')],
    resources: [
      { type: 'file', file_id: id('data/in.csv'), mount_path: '/data/in/data.csv' },
      { type: 'file', file_id: id('data/more.csv'), mount_path: '/data/workspace/more.csv' },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
      { type: 'github_repository', mount_path: '/data/workspace/tools' },
      { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
    ],
    initial_events: [
      { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
      { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
      { rubric: { type: 'file', file_id: id('rubric.md') } },
      { rubric: { type: 'text', content: 'Fast.' }, max_iterations: 5 },
    ],
    schedule: { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  })
  const upload = bench.remote('file', 'nightly~data/more.csv')
  t.match(upload, { filename: 'more.csv', purpose: 'session_resource' }, 'equal bytes under another name')
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
    { ...full, environment_variables: { A: '3' } },
    { ...full, environment_variables: undefined },
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
})

t.test('2.16 a deployment follows the newest version of its agent unless it names one', async (t) => {
  const bench = await nightly(t)
  bench.declare('agent', 'helper', { model: 'auto', instructions: 'Help more.' })
  await bench.update('agent', 'helper')
  t.same(await bench.drift('deployment', 'nightly'), ['agent/version'])
  t.same(await bench.update('deployment', 'nightly'), [])
  t.match(bench.remote('deployment', 'nightly'), { agent: { version: 2 } })
  bench.declare('deployment', 'nightly', { ...full, agent_version: 1 }, contents)
  t.same(await bench.update('deployment', 'nightly'), [])
  t.match(bench.remote('deployment', 'nightly'), { agent: { version: 1 } })
})

t.test('2.16 a schedule that the older API cannot remove is reported with a fix', async (t) => {
  const bench = await nightly(t)
  await bench.turn({ dialect: 'pages' })
  bench.declare('deployment', 'nightly', { ...full, schedule: undefined }, contents)
  t.match(await refusalOf(bench.update('deployment', 'nightly')), [
    { code: 'qoder.schedule-kept', fix: /Remove the deployment and apply/ },
  ])
})

t.test('2.16 a deployment is run, paused and resumed, and its runs are listed', async (t) => {
  const bench = await nightly(t)
  const id = bench.id('deployment', 'nightly')
  const run = await deployments.run(call(bench), { id, body: {} })
  t.match(run, { type: 'deployment_run', session_id: String })
  t.match(await runsOf(bench), [{ id: run['id'] }])
  t.match(await deployments.pause?.(call(bench), id), { status: 'paused' })
  t.match(await deployments.resume?.(call(bench), id), { status: 'active' })
  await bench.request('POST', `/agents/${bench.id('agent', 'helper')}/archive`)
  t.match(await refusalOf(deployments.run(call(bench), { id, body: {} })), [{ code: 'qoder.run-failed' }])
})

t.test('2.16 a deployment is archived, and then it is gone', async (t) => {
  const bench = await nightly(t)
  await bench.remove('deployment', 'nightly')
  t.equal(await bench.isGone('deployment', 'nightly'), true)
})
