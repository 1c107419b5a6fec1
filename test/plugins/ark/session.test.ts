// Sessions on Ark, and runs of deployments, which are sessions there.
import t, { type Test } from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openArk } from './subject.js'

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const helper = {
  model: 'm',
  instructions: 'Help.',
  environment: 'sandbox',
  vault: 'keys',
  files: [{ file: 'notes', mount_path: 'in/notes.md' }],
  memory_stores: ['wiki', 'log'],
}

/** An account in which everything that the agent names exists. */
async function furnished(t: Test): Promise<Workbench> {
  const bench = await openArk(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('file', 'notes', { source: 'notes.md' }, { 'notes.md': 'x' })
  for (const name of ['wiki', 'log']) bench.declare('memory_store', name, {})
  bench.declare('agent', 'helper', helper)
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

async function started(bench: Workbench): Promise<string> {
  const agent = bench.declaration('agent', 'helper')
  const body = bench.expanded(bench.sessions.request(agent, nothing, bench.scope(agent)))
  return String((await bench.sessions.create(bench.call, body))['id'])
}

t.test('the stream begins with ready and contains only later events', async (t) => {
  const bench = await furnished(t)
  const id = await started(bench)
  await bench.sessions.send(bench.call, id, 'Before.')
  const stopped = new AbortController()
  const response = await fetch(`${bench.emulator.url}/ark/api/v3/sessions/${id}/events/stream`, {
    headers: { authorization: 'Bearer any' },
    signal: stopped.signal,
  })
  t.match(response.headers.get('content-type'), /text\/event-stream/)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array)
    if (text.endsWith(': ready\n\n')) await bench.sessions.send(bench.call, id, 'After.')
    if (text.includes('session.status_idle')) break
  }
  stopped.abort()
  const events = text.split('\n\n').filter((frame) => frame.startsWith('data: '))
  t.equal(events.length, 4)
  t.match(JSON.parse(events[0]?.slice('data: '.length) ?? ''), { type: 'user.message', content: [{ text: 'After.' }] })
})

const contents = { 'rubric.md': 'Good.', 'data/in.csv': 'a,b' }
const nightly = {
  agent: 'helper',
  agent_version: 1,
  description: 'Runs at night.',
  memory_stores: ['log'],
  resources: [
    { type: 'file', source: 'data/in.csv', mount_path: 'in.csv' },
    { type: 'memory_store', memory_store: 'wiki', access: 'read_write' },
  ],
  initial_events: [
    { type: 'system.message', content: 'Be brief.' },
    { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
    { type: 'user.define_outcome', rubric_file: 'rubric.md', max_iterations: 2 },
  ],
}

t.test('2.16 a deployment is recorded in state only and uploads its files under names of its own', async (t) => {
  const bench = await openArk(t)
  const { isStateOnly, derive } = bench.handler('deployment')
  t.equal(isStateOnly, true)
  const one = bench.declare('deployment', 'nightly', nightly, contents)
  t.strictSame(derive?.(one, bench.scope(one)), [
    { kind: 'file', name: 'nightly~data/in.csv', body: { source: 'data/in.csv', purpose: 'agent' } },
    { kind: 'file', name: 'nightly~rubric.md', body: { source: 'rubric.md', purpose: 'agent' } },
  ])
})

t.test('2.16 a run is a session with the initial events, sent at once', async (t) => {
  const bench = await furnished(t)
  const one = bench.declare('deployment', 'nightly', nightly, contents)
  for (const { kind, name, body } of bench.handler('deployment').derive?.(one, bench.scope(one)) ?? []) {
    bench.declare(kind, name, body, contents)
    await bench.create(kind, name)
  }
  const tree = bench.deployments.request?.(one, bench.scope(one)) ?? {}
  t.strictSame(bench.handler('deployment').desired(one, bench.scope(one)), tree)

  const session = await bench.deployments.run(bench.call, { id: null, body: bench.expanded(tree) })
  t.match(session, {
    title: 'Runs at night.',
    agent: { id: bench.id('agent', 'helper'), version: 1 },
    resources: [
      { file_id: bench.id('file', 'nightly~data/in.csv'), mount_path: '/mnt/in.csv' },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_write' },
      { memory_store_id: bench.id('memory_store', 'log') },
      { file_id: bench.id('file', 'notes'), mount_path: '/mnt/in/notes.md' },
    ],
  })
  const rubric = { type: 'file', file_id: bench.id('file', 'nightly~rubric.md') }
  t.strictSame(await bench.sent('POST', '/events'), [
    {
      events: [
        { type: 'user.message', content: [{ type: 'text', text: 'Be brief.' }] },
        { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
        { type: 'user.define_outcome', rubric, max_iterations: 2 },
      ],
    },
  ])
})

t.test('the error for a run with refused events names the waiting session', async (t) => {
  const bench = await furnished(t)
  const initial_events = [{ type: 'user.define_outcome' }]
  const one = bench.declare('deployment', 'nightly', { ...nightly, initial_events, resources: [] })
  const body = bench.expanded(bench.deployments.request?.(one, bench.scope(one)) ?? {})
  const refusal = await refusalOf(bench.deployments.run(bench.call, { id: null, body }))
  t.match(refusal, [{ code: 'ark.run-without-events', detail: /session sesn-/ }])
})

t.test('the emulator takes and gives back resources, titles and upgrades', async (t) => {
  const bench = await furnished(t)
  const id = await started(bench)
  const added = await bench.request('POST', `/sessions/${id}/resources`, {
    type: 'file',
    file_id: bench.id('file', 'notes'),
  })
  t.match(added.body, { id: String, mount_path: '/mnt/session/uploads/notes.md' })
  t.equal((await bench.request('DELETE', `/sessions/${id}/resources/${added.body['id']}`)).status, 200)
  t.match(await bench.request('GET', `/sessions/${id}/resources`), { body: { data: [{}, {}, {}] } })
  t.match(await bench.request('POST', `/sessions/${id}`, { title: 'New' }), { body: { title: 'New' } })
  await bench.request('POST', `/agents/${bench.id('agent', 'helper')}`, { version: 1, system: 'x' })
  const agent = { type: 'agent_with_upgrades', id: bench.id('agent', 'helper'), version: 2 }
  t.match(await bench.request('POST', `/sessions/${id}/upgrades`, { agent }), { body: { agent: { version: 2 } } })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const bench = await furnished(t)
  const base = { agent: bench.id('agent', 'helper'), environment_id: bench.id('environment', 'sandbox') }
  const file = { type: 'file', file_id: bench.id('file', 'notes') }
  const store = { type: 'memory_store', memory_store_id: bench.id('memory_store', 'wiki') }
  const refused: readonly JsonObject[] = [
    { agent: base.agent },
    { ...base, agent: 'agent-none' },
    { ...base, environment_id: 'env-none' },
    { ...base, vault_ids: ['vlt-none'] },
    { ...base, resources: [{ ...file, mount_path: '/data/x' }] },
    { ...base, resources: [{ ...file, mount_path: '../x' }] },
    { ...base, resources: [{ ...file, file_id: 'file-none' }] },
    { ...base, resources: [{ ...store, mount_path: '/mnt/x' }] },
    { ...base, resources: [{ ...store, instructions: 'x'.repeat(4097) }] },
    { ...base, resources: Array.from({ length: 11 }, () => store) },
    { ...base, resources: Array.from({ length: 101 }, () => file) },
    { ...base, resources: [{ type: 'git_repository', url: 'https://x' }] },
  ]
  for (const body of refused) t.equal((await bench.request('POST', '/sessions', body)).status, 400)
  const id = await started(bench)
  const text = [{ type: 'text', text: 'x' }]
  for (const events of [[], [{ type: 'system.message', content: text }], [{ type: 'user.dance' }]])
    t.equal((await bench.request('POST', `/sessions/${id}/events`, { events })).status, 400)
  t.equal(
    (await bench.request('POST', `/sessions/${id}/resources`, store)).status,
    400,
    'only files can be added later',
  )
})
