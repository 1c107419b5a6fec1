// The official client drives what runs: deployments, sessions, their events and files, with every variant of its types.
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import t from 'tap'
import { clientOf, furnished, rowsOf } from './sdk-client.js'
import { events } from './sdk-events.js'
import { budget, deployment, deploymentUpdate, sessions } from './sdk-samples.js'

t.test('deployments with every kind of event and mount, their runs, pausing and the end', async (t) => {
  const { beta } = await clientOf(t)
  const made = await furnished(beta)
  const { id, budget: limit } = await beta.deployments.create(deployment(made))
  t.same(limit, budget)
  const run = await beta.deployments.run(id)
  t.match(run, { deployment_id: id, session_id: String })
  t.same(
    (await beta.sessions.retrieve(run.session_id ?? '')).budget,
    budget,
    'a session has the budget of its deployment',
  )
  t.match(await beta.deployments.pause(id), { status: 'paused' })
  t.match(await beta.deployments.unpause(id), { status: 'active' })
  t.match(await beta.deployments.update(id, deploymentUpdate), {
    budget: null,
    schedule: null,
    resources: { length: 0 },
    vault_ids: { length: 0 },
  })
  t.equal((await beta.deployments.retrieve(id)).id, id)
  t.equal((await rowsOf(beta.deployments.list({ agent_id: made.agentId, status: 'active' }))).length, 1)
  t.equal((await rowsOf(beta.deployments.list({ agent_id: 'agent_other' }))).length, 0)
  const runs = beta.deploymentRuns.list({ deployment_id: id, has_error: false, trigger_type: 'manual' })
  t.equal((await rowsOf(runs)).length, 1)
  t.equal((await beta.deploymentRuns.retrieve(run.id)).id, run.id)
  t.match(await beta.deployments.archive(id), { archived_at: String })
})

t.test('sessions of every kind of agent, filtered, updated, with events, and ended', async (t) => {
  const { beta } = await clientOf(t)
  const made = await furnished(beta)
  for (const body of sessions(made)) {
    const session = await beta.sessions.create(body)
    const { agent, budget: limit, resources: mounted } = session
    t.same([limit, mounted.length], [budget, 3])
    if (typeof body.agent === 'object' && body.agent.type === 'agent_with_overrides')
      t.match(agent, { system: 'Be brief.', model: { speed: 'fast', inference_geo: 'eu' }, version: 1 })
    const updated = await beta.sessions.update(session.id, {
      title: null,
      metadata: { team: null },
      budget: null,
      agent: { tools: [], mcp_servers: [] },
    })
    t.match(updated, { title: null, budget: null, agent: { tools: { length: 0 } } })
    await beta.sessions.events.send(session.id, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: 'Again.' }] }, { type: 'user.interrupt' }],
    })
    const listed = beta.sessions.events.list(session.id, {
      order: 'desc',
      types: ['user.message', 'user.interrupt'],
      'created_at[gt]': '2020-01-01T00:00:00Z',
      'created_at[gte]': '2020-01-01T00:00:00Z',
      'created_at[lt]': '2030-01-01T00:00:00Z',
      'created_at[lte]': '2030-01-01T00:00:00Z',
    })
    t.same(new Set((await rowsOf(listed)).map(({ type }) => type)), new Set(['user.message', 'user.interrupt']))
    t.equal((await rowsOf(beta.sessions.resources.list(session.id))).length, 3)
    t.equal((await rowsOf(beta.sessions.threads.list(session.id))).length, 0)
  }
  const all = { agent_id: made.agentId, agent_version: 1, order: 'asc', statuses: ['idle', 'running'] } as const
  const ids = (await rowsOf(beta.sessions.list({ ...all, statuses: [...all.statuses] }))).map(({ id }) => id)
  t.equal(ids.length, 3)
  type Filter = NonNullable<Parameters<typeof beta.sessions.list>[0]>
  const others: Filter[] = [{ agent_version: 2 }, { deployment_id: 'depl_x' }, { memory_store_id: 'x' }]
  for (const filter of others) t.equal((await rowsOf(beta.sessions.list(filter))).length, 0, JSON.stringify(filter))
  t.equal((await rowsOf(beta.sessions.list({ statuses: ['terminated'] }))).length, 0)
  await beta.sessions.archive(ids[0] ?? '')
  t.match(await beta.sessions.delete(ids[1] ?? ''), { type: 'session_deleted' })
})

t.test('a stream of the present client is answered, with previews where it asks for them', async (t) => {
  const { beta } = await clientOf(t)
  const made = await furnished(beta)
  const { id } = await beta.sessions.create({ agent: made.agentId, environment_id: made.environmentId })
  const stream = await beta.sessions.events.stream(id, { event_deltas: ['agent.message', 'agent.thinking'] })
  await beta.sessions.events.send(id, {
    events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello.' }] }],
  })
  const seen: string[] = []
  for await (const { type } of stream) {
    seen.push(type)
    if (type === 'session.status_idle') break
  }
  t.ok(seen.includes('event_delta') && seen.includes('agent.message'), seen.join())
})

t.test('files that a session has made are found by it and downloaded, and uploads are not', async (t) => {
  const { bench, beta } = await clientOf(t)
  const made = await furnished(beta)
  const { id: session_id } = await beta.sessions.create({ agent: made.agentId, environment_id: made.environmentId })
  const { id: other } = await beta.sessions.create({ agent: made.agentId, environment_id: made.environmentId })
  for (const one of [session_id, other])
    await bench.seed('file', { filename: 'a.csv', content: 'x;y', session_id: one }, { id: `file_of_${one}` })
  const upload = await beta.files.upload({ file: await toFile(Buffer.from('a'), 'a.csv') })
  t.same(upload.scope, null)
  await t.rejects(beta.files.download(upload.id), Anthropic.BadRequestError)
  const [found, ...more] = await rowsOf(beta.files.list({ scope_id: session_id }))
  t.equal(more.length, 0)
  t.match(found, { id: `file_of_${session_id}`, downloadable: true, scope: { type: 'session', id: session_id } })
  const bytes = await beta.files.download(found?.id ?? '')
  t.equal(await bytes.text(), 'x;y')
  t.match(bytes.headers.get('content-type'), 'text/csv')
})

t.test('a session takes every event that the types allow', async (t) => {
  const { bench, beta } = await clientOf(t)
  const made = await furnished(beta)
  const { id: fileId } = await beta.files.upload({ file: await toFile(Buffer.from('a'), 'a.csv') })
  const { id } = await beta.sessions.create({ agent: made.agentId, environment_id: made.environmentId })
  await bench.turn({ turns: 'ask' })
  await beta.sessions.events.send(id, {
    events: [{ type: 'user.message', content: [{ type: 'text', text: 'Test.' }] }],
  })
  const uses = (await rowsOf(beta.sessions.events.list(id))).flatMap((event) =>
    event.type === 'agent.tool_use' || event.type === 'agent.mcp_tool_use' ? [event.id] : [],
  )
  await bench.turn({ turns: 'complete' })
  for (const event of events(fileId, uses)) {
    const { data } = await beta.sessions.events.send(id, { events: [event] })
    t.match(data, [{ ...event, id: String }])
  }
  const wrong = [
    { type: 'user.message', content: [{ type: 'text' }] },
    { type: 'user.message', content: [{ type: 'image', source: { type: 'link', url: 'https://a.example' } }] },
    { type: 'user.tool_confirmation', tool_use_id: uses[0], result: 'maybe' },
    { type: 'user.interrupt', reason: 'tired' },
  ]
  for (const event of wrong) {
    const body = JSON.stringify({ events: [event] })
    await t.rejects(beta.sessions.events.send(id, JSON.parse(body)), Anthropic.BadRequestError, body)
  }
})

t.test('a mount is added to a session, read, changed and removed', async (t) => {
  const { beta } = await clientOf(t)
  const made = await furnished(beta)
  const { id: session_id } = await beta.sessions.create({ agent: made.agentId, environment_id: made.environmentId })
  const { id: file_id } = await beta.files.upload({ file: await toFile(Buffer.from('a'), 'a.csv') })
  const { resources } = beta.sessions
  const file = await resources.add(session_id, { type: 'file', file_id, mount_path: '/workspace/a.csv' })
  t.match(file, { type: 'file', mount_path: '/workspace/a.csv' })
  t.match(await resources.retrieve(file.id, { session_id }), { id: file.id })
  t.match(await resources.delete(file.id, { session_id }), { id: file.id })
  t.equal((await rowsOf(resources.list(session_id))).length, 0)
})
