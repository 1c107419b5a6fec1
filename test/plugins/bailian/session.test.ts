// The emulated sessions of bailian: mounts, events and end.
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] })

async function prepared(t: Test) {
  const bench = await openBailian(t)
  bench.declare('agent', 'helper', { model: 'qwen3.8-max', instructions: 'Help.' })
  await bench.create('agent', 'helper')
  const id = bench.id('agent', 'helper')
  return { bench, create: (more: object = {}) => bench.request('POST', '/sessions', { agent: id, ...more }) }
}

const store = async (bench: Workbench, name: string) =>
  (await bench.request('POST', '/memory_stores', { name })).body['id']

t.test('a session has a snapshot of its agent, and shows its resources', async (t) => {
  const { bench, create } = await prepared(t)
  const { body } = await create({ title: 'T', environment_variables: { A: '1' }, metadata: { by: 'me' } })
  t.match(body, { id: /^sesn_/, status: 'idle', title: 'T', environment_variables: { A: '1' }, agent: { version: 1 } })
  bench.declare('agent', 'helper', { model: 'qwen3.8-max', instructions: 'Help more.' })
  await bench.update('agent', 'helper')
  const path = `/sessions/${body['id']}`
  t.match((await bench.request('GET', path)).body, { agent: { version: 1, system: 'Help.' } })
  t.match((await bench.request('POST', path, { title: 'U' })).body, { title: 'U', metadata: { by: 'me' } })
  t.match(await bench.request('POST', path, { agent: 'x' }), { status: 400 })
  t.match(await create({ agent: 'agent_x' }), { status: 404 })
  t.match(await create({ environment_id: 'env_x' }), { status: 404 })
  t.match(await create({ vault_ids: ['vlt_x'] }), { status: 404 })
  await bench.remove('agent', 'helper')
  t.match(await create(), { status: 409 }, 'an archived agent cannot start sessions')
})

t.test('files are mounted as copies, below /uploads or /mnt alone', async (t) => {
  const { bench, create } = await prepared(t)
  bench.declare('file', 'report', { source: 'report.csv' }, { 'report.csv': 'a' })
  await bench.create('file', 'report')
  const file_id = bench.id('file', 'report')
  const file = (mount_path: string) => ({ type: 'file', file_id, mount_path })
  const { body } = await create({ resources: [file('/uploads/a.csv'), file('/mnt/b.csv')] })
  const resources = body['resources'] as { id: string; file_id: string; mount_path: string }[]
  t.same(
    resources.map(({ mount_path }) => mount_path),
    ['/mnt/session/uploads/a.csv', '/mnt/b.csv'],
  )
  t.notOk(resources.some((resource) => resource.file_id === file_id))
  t.match(await create({ resources: [file('/data/a.csv')] }), { status: 400 })
  t.match(await create({ resources: [{ type: 'file', file_id }] }), { status: 400 })

  const path = `/sessions/${body['id']}/resources`
  t.match((await bench.request('POST', path, file('/mnt/c.csv'))).body, { mount_path: '/mnt/c.csv' })
  t.equal(((await bench.request('GET', path)).body['data'] as unknown[]).length, 3)
  t.match(await bench.request('GET', `${path}/${resources[0]?.id}`), { body: { id: /^sesrsc_/ } })
  t.match(await bench.request('DELETE', `${path}/${resources[0]?.id}`), { body: { type: 'session_resource_deleted' } })
  t.match(await bench.request('GET', `${path}/${resources[0]?.id}`), { status: 404 })
})

t.test('2.14 eight memory stores are mounted at the start, where the server chooses', async (t) => {
  const { bench, create } = await prepared(t)
  const ids: unknown[] = []
  for (let made = 0; made < 9; made++) ids.push(await store(bench, `s${made}`))
  const mount = (memory_store_id: unknown, more: object = {}) => ({ type: 'memory_store', memory_store_id, ...more })
  const { body } = await create({
    resources: [
      ...ids.slice(0, 7).map((id) => mount(id)),
      mount(ids[7], { access: 'read_only', instructions: 'Read.' }),
    ],
  })
  const resources = body['resources'] as JsonObject[]
  t.match(resources[0], { file_id: null, name: 's0', access: 'read_write', mount_path: '/mnt/memory/s0' })
  t.match(resources[7], { access: 'read_only', instructions: 'Read.' })
  t.match(await create({ resources: ids.map((id) => mount(id)) }), { status: 400 })
  t.match(await create({ resources: [mount(ids[0]), mount(ids[0])] }), { status: 400 })
  t.match(await create({ resources: [mount(ids[0], { mount_path: '/mnt/x' })] }), { status: 400 })
  t.match(await create({ resources: [mount(ids[0], { instructions: 'x'.repeat(4_096) })] }), { status: 200 })
  t.match(await create({ resources: [mount(ids[0], { instructions: 'x'.repeat(4_097) })] }), { status: 400 })
  const path = `/sessions/${body['id']}/resources`
  t.match(await bench.request('POST', path, mount(ids[8])), { status: 400 })
  t.match(await bench.request('DELETE', `${path}/${resources[0]?.['id']}`), { status: 400 })
  await bench.request('POST', `/memory_stores/${ids[0]}/archive`)
  t.match(await create({ resources: [mount(ids[0])] }), { status: 409 })
})

t.test('a message is answered, and the turn ends idle', async (t) => {
  const { bench, create } = await prepared(t)
  const path = `/sessions/${(await create()).body['id']}/events`
  const sent = await bench.request('POST', path, { input: [message('Hello.')] })
  t.match(sent.body, {
    data: [{ id: /^evt_/, type: 'message', role: 'user', sequence_number: 1 }],
    request_id: /^req_/,
  })
  const { body } = await bench.request('GET', path)
  t.match(body['data'], [
    { role: 'user' },
    { type: 'session_status', content: [{ data: { session_status: 'running' } }] },
    { role: 'assistant', content: [{ text: 'Done: Hello.' }] },
    { content: [{ data: { session_status: 'idle', stop_reason: { type: 'end_turn' } } }] },
  ])
  const only = await bench.request('GET', `${path}?types=message&order=desc&limit=1`)
  t.match(only.body['data'], [{ role: 'assistant' }])
  const next = await bench.request('GET', `${path}?types=message&order=desc&limit=1&page=${only.body['next_page']}`)
  t.match(next.body, { data: [{ role: 'user' }], next_page: null })
  t.match(await bench.request('POST', path, { input: [] }), { status: 400 })
  t.match(await bench.request('POST', path, { input: [{ type: 'shout' }] }), { status: 400 })
})

t.test('sessions, their events and deployments are found by the time of their creation', async (t) => {
  const { bench, create } = await prepared(t)
  const { body: session } = await create()
  await bench.request('POST', `/sessions/${session['id']}/events`, { input: [message('Hello.')] })
  bench.declare('environment', 'data', { config: { type: 'cloud' } })
  await bench.create('environment', 'data')
  bench.declare('deployment', 'nightly', {
    agent: 'helper',
    environment: 'data',
    initial_events: [{ type: 'user.message', content: 'Go.' }],
  })
  await bench.create('deployment', 'nightly')
  for (const list of ['/sessions', `/sessions/${session['id']}/events`, '/deployments']) {
    const timesOf = async (query: string) => {
      const { body } = await bench.request('GET', `${list}?${query}`)
      return (body['data'] as { created_at: string }[]).map(({ created_at }) => created_at)
    }
    const all = await timesOf('')
    const [bound = 'none'] = all
    const later = all.filter((time) => time > bound)
    const earlier = all.filter((time) => time < bound)
    const same = all.filter((time) => time === bound)
    const expected = { gt: later, gte: [...same, ...later], lt: earlier, lte: [...earlier, ...same] }
    for (const [comparison, times] of Object.entries(expected))
      t.same((await timesOf(`created_at[${comparison}]=${bound}`)).sort(), times.sort(), `${list} ${comparison}`)
  }
})

t.test('a running session stays until it is interrupted', async (t) => {
  const { bench, create } = await prepared(t)
  await bench.request('PUT', '/_emulator/knobs', { bailian: { turns: 'stay' } })
  const { body } = await create()
  const path = `/sessions/${body['id']}`
  await bench.request('POST', `${path}/events`, { input: [message('Go.')] })
  t.match(await bench.request('DELETE', path), { status: 409, body: { error: { code: 'conflict_error' } } })
  t.match((await bench.request('GET', '/sessions?statuses[]=running')).body, { data: [{ id: body['id'] }] })
  await bench.request('POST', `${path}/events`, { input: [{ type: 'interrupt' }] })
  t.match(await bench.request('DELETE', path), { status: 200, body: { type: 'session_deleted' } })
  t.match(await bench.request('GET', `${path}/events`), { status: 404 })
})

t.test('a stream contains events from its start on', async (t) => {
  const { bench, create } = await prepared(t)
  const path = `/sessions/${(await create()).body['id']}/events`
  await bench.request('POST', path, { input: [message('Before.')] })
  const gone = new AbortController()
  const response = await fetch(`${bench.emulator.url}/bailian/api/v1/agentstudio${path}/stream`, {
    headers: { authorization: 'Bearer sk-any', accept: 'text/event-stream' },
    signal: gone.signal,
  })
  t.equal(response.headers.get('content-type'), 'text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let streamed = ''
  while (!streamed.includes(': connected')) streamed += (await reader?.read())?.value ?? ''
  await bench.request('POST', path, { input: [message('After.')] })
  while (!streamed.includes('"idle"')) streamed += (await reader?.read())?.value ?? ''
  gone.abort()
  t.notMatch(streamed, /Before/)
  t.match(streamed, /event: message\ndata: \{.*After/)
  t.notMatch(streamed, /^id:/m)
})

t.test('sessions are listed by agent and archived for good', async (t) => {
  const { bench, create } = await prepared(t)
  const { body } = await create()
  const agentId = bench.id('agent', 'helper')
  t.match((await bench.request('GET', `/sessions?agent_id=${agentId}`)).body, { data: [{ id: body['id'] }] })
  t.match((await bench.request('GET', '/sessions?agent_id=other')).body, { data: { length: 0 } })
  await bench.request('POST', `/sessions/${body['id']}/archive`)
  t.match((await bench.request('GET', '/sessions')).body, { data: { length: 0 } })
  t.match(await bench.request('POST', `/sessions/${body['id']}/events`, { input: [message('Late.')] }), { status: 409 })
})
