// Files and runs of deployments on bailian, and what the emulated service does with them.
import t, { type Test } from 'tap'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const agent = { model: 'qwen3.8-max', instructions: 'Help.' }
const cloud = { config: { type: 'cloud' } }
const minimal = { agent: 'helper', initial_events: [{ type: 'user.message', content: 'Go.' }] }
const contents = { './a.csv': 'a', './b.csv': 'b' }
const full = {
  ...minimal,
  environment: 'data',
  vaults: ['keys', 'more'],
  resources: [
    { type: 'file', source: './a.csv', mount_path: 'in/a.csv' },
    { type: 'file', source: './b.csv', mount_path: '/mnt/b.csv' },
    { type: 'file', source: './a.csv', mount_path: 'again.csv' },
    { type: 'git_repository', url: 'https://git.example/x.git' },
  ],
  environment_variables: { REGION: 'eu', MODE: 'fast' },
  initial_events: [
    { type: 'system.message', content: 'Be brief.' },
    { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
    { type: 'user.define_outcome', description: 'Done.' },
  ],
  schedule: { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  description: 'Every morning',
  metadata: { team: 'data' },
}

async function prepared(t: Test): Promise<Workbench> {
  const bench = await openBailian(t)
  bench.declare('agent', 'helper', agent)
  bench.declare('environment', 'data', cloud)
  bench.declare('vault', 'keys', {})
  bench.declare('vault', 'more', {})
  await bench.create('agent', 'helper')
  await bench.create('environment', 'data')
  for (const name of ['keys', 'more']) await bench.create('vault', name)
  return bench
}

t.test('2.16 files are uploaded once each, and repositories are left out', async (t) => {
  const bench = await prepared(t)
  bench.declare('deployment', 'nightly', full, contents)
  const remote = await bench.create('deployment', 'nightly')
  const [a, b] = ['./a.csv', './b.csv'].map((source) => bench.id('file', `nightly~${source}`))
  t.same(remote['resources'], [
    { type: 'file', file_id: a, mount_path: '/mnt/in/a.csv' },
    { type: 'file', file_id: b, mount_path: '/mnt/b.csv' },
    { type: 'file', file_id: a, mount_path: '/mnt/again.csv' },
  ])
  t.equal((await bench.listed('file')).length, 2)
  t.match(bench.remote('file', 'nightly~./b.csv'), { filename: 'b.csv', size_bytes: 1 })
})

t.test('2.16 a run has the resources of its agent, unless the deployment declares others', async (t) => {
  const bench = await prepared(t)
  bench.declare('environment', 'other', cloud)
  bench.declare('file', 'guide', { source: './a.csv' }, { './a.csv': 'a' })
  bench.declare('agent', 'equipped', {
    ...agent,
    environment: 'data',
    vault: 'keys',
    files: [{ file: 'guide', mount_path: 'docs/guide.csv' }],
  })
  for (const [kind, name] of [
    ['environment', 'other'],
    ['file', 'guide'],
    ['agent', 'equipped'],
  ] as const)
    await bench.create(kind, name)
  const body = { ...minimal, agent: 'equipped', vaults: ['more'] }
  bench.declare('deployment', 'nightly', body)
  const remote = await bench.create('deployment', 'nightly')
  t.same(await bench.drift('deployment', 'nightly'), [])
  t.match(remote, {
    environment_id: bench.id('environment', 'data'),
    vault_ids: [bench.id('vault', 'keys'), bench.id('vault', 'more')],
    resources: [{ file_id: bench.id('file', 'guide'), mount_path: '/mnt/docs/guide.csv' }],
  })
  bench.declare('deployment', 'nightly', { ...body, environment: 'other' })
  t.same(await bench.update('deployment', 'nightly'), [])
  t.match(bench.remote('deployment', 'nightly'), { environment_id: bench.id('environment', 'other') })
})

t.test('an archived deployment takes no change and no run', async (t) => {
  const bench = await prepared(t)
  bench.declare('deployment', 'nightly', minimal)
  await bench.create('deployment', 'nightly')
  const path = `/deployments/${bench.id('deployment', 'nightly')}`
  await bench.remove('deployment', 'nightly')
  const conflict = { status: 409, body: { error: { code: 'DEPLOYMENT_STATE_CONFLICT' } } }
  t.match(await bench.request('POST', path, { name: 'late' }), conflict)
  t.match(await bench.request('POST', `${path}/run`), conflict)
  t.match(await bench.request('DELETE', path), { status: 405 })
})

t.test('the emulator moves the pin when an update leaves the agent out', async (t) => {
  const bench = await prepared(t)
  bench.declare('deployment', 'nightly', minimal)
  await bench.create('deployment', 'nightly')
  const path = `/deployments/${bench.id('deployment', 'nightly')}`
  bench.declare('agent', 'helper', { ...agent, instructions: 'Help more.' })
  await bench.update('agent', 'helper')
  t.match((await bench.request('GET', path)).body, { agent: { version: 1, system: 'Help.' } })
  await bench.request('PUT', '/_emulator/knobs', { bailian: { deploymentPinMoves: false } })
  t.match((await bench.request('POST', path, { name: 'n' })).body, { agent: { version: 1 } })
  await bench.request('PUT', '/_emulator/knobs', { bailian: { deploymentPinMoves: true } })
  t.match((await bench.request('POST', path, { name: 'n' })).body, { agent: { version: 2, system: 'Help more.' } })
})

t.test('the emulator checks references of a deployment', async (t) => {
  const bench = await prepared(t)
  const id = bench.id('agent', 'helper')
  const event = { type: 'message', role: 'user', content: [{ type: 'text', text: 'Go.' }] }
  const create = (more: object) =>
    bench.request('POST', '/deployments', { name: 'd', agent: { id }, initial_events: [event], ...more })
  t.match(await create({}), { status: 200, body: { agent: { version: 1 }, paused_reason: null } })
  t.match(await create({ agent: id }), { status: 400, body: { error: { code: 'PARAMS_ILLEGAL' } } })
  t.match(await create({ agent: { id, version: 2 } }), { status: 404 })
  t.match(await create({ initial_events: [] }), { status: 400 })
  t.match(await create({ initial_events: Array(50).fill(event) }), { status: 200 })
  t.match(await create({ initial_events: Array(51).fill(event) }), { status: 400 })
  t.match(await create({ resources: [{ type: 'file', file_id: 'file_x', mount_path: '/mnt/x' }] }), { status: 404 })
  t.match(await create({ resources: [{ type: 'memory_store', memory_store_id: 'm' }] }), { status: 400 })
  t.match(await create({ schedule: { type: 'cron', expression: '99 9 * * *', timezone: 'UTC' } }), { status: 400 })
  t.match(await create({ environment_id: 'env_x' }), { status: 404 })
})

t.test('a run starts a session of the pinned agent, paused or not', async (t) => {
  const bench = await prepared(t)
  bench.declare('deployment', 'nightly', full, contents)
  await bench.create('deployment', 'nightly')
  const path = `/deployments/${bench.id('deployment', 'nightly')}`
  t.match((await bench.request('POST', `${path}/pause`)).body, { status: 'paused', paused_reason: { type: 'manual' } })
  t.match((await bench.request('GET', '/deployments?status=active')).body, { data: { length: 0 } })
  const run = await bench.request('POST', `${path}/run`)
  t.match(run.body, { id: /^drun_/, status: 'running', session_id: null, trigger_source: 'manual' })
  const done = await bench.request('GET', `${path}/runs/${run.body['id']}`)
  t.match(done.body, { status: 'succeeded', session_id: /^sesn_/, finished_at: /^2026/ })
  t.match((await bench.request('GET', `${path}/runs`)).body, { data: [{ session_id: done.body['session_id'] }] })
  t.match((await bench.request('GET', `/sessions/${done.body['session_id']}`)).body, {
    status: 'idle',
    agent: { version: 1 },
    resources: [{ mount_path: '/mnt/in/a.csv' }, { mount_path: '/mnt/b.csv' }, { mount_path: '/mnt/again.csv' }],
    environment_variables: { REGION: 'eu' },
  })
  t.match((await bench.request('POST', `${path}/unpause`)).body, { status: 'active', paused_reason: null })
})
