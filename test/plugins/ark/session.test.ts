// Sessions, their events, and runs of deployments, which are sessions here.
import t from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import { isFailure } from '../../../core/plugin/failure.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { deployment } from '../../../plugins/ark/deployment.js'
import { deployments } from '../../../plugins/ark/deployment-run.js'
import { environment } from '../../../plugins/ark/environment.js'
import { sessions } from '../../../plugins/ark/sessions.js'
import type { AgentBody } from '../../../plugins/kinds/agent-body.js'
import type { DeploymentBody } from '../../../plugins/kinds/deployment-body.js'
import { Account, declaration, project, scopeFor } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))

const helper = declaration<AgentBody>('agent', 'helper', {
  model: 'm',
  instructions: 'Help.',
  environment: 'sandbox',
  vault: 'keys',
  files: ['unmounted', { file: 'notes', mount_path: 'in/notes.md' }],
  memory_stores: ['wiki', 'log'],
  resources: [{ type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' }],
})

/** An account in which everything that the agent names exists. */
async function furnished() {
  const made = async (path: string, body: JsonObject) => String((await account.client.create(path, body))['id'])
  const form = new FormData()
  form.set('purpose', 'agent')
  form.set('file', new Blob(['x']), 'notes.md')
  const file = await account.client.create('/files', form)
  const ids = {
    'agent/helper': await made('/agents', { name: 'helper', model: { id: 'm' } }),
    'environment/sandbox': await made('/environments', { name: 'sandbox' }),
    'vault/keys': await made('/vaults', { display_name: 'keys' }),
    'vault/more': await made('/vaults', { display_name: 'more' }),
    'memory_store/wiki': await made('/memory_stores', { name: 'wiki' }),
    'memory_store/log': await made('/memory_stores', { name: 'log' }),
    'file/notes': String(file['id']),
  }
  return ids
}
type Ids = Awaited<ReturnType<typeof furnished>>

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const bodyFor = (ids: Ids, request: Partial<SessionRequest> = {}, agent = helper) =>
  sessions.request(agent, { ...nothing, ...request }, scopeFor(agent, ids))

t.test('a session has the resources of the agent, and an explicit resource overrides the shorthand', async (t) => {
  const ids = await furnished()
  const session = await sessions.create(account.call, bodyFor(ids, { title: 'Try', vaults: ['more', 'keys'] }))
  t.match(session, {
    status: 'idle',
    title: 'Try',
    agent: { id: ids['agent/helper'], version: 1 },
    environment_id: ids['environment/sandbox'],
    vault_ids: [ids['vault/keys'], ids['vault/more']],
    resources: [
      { memory_store_id: ids['memory_store/wiki'], access: 'read_only', instructions: 'Look here first.' },
      { memory_store_id: ids['memory_store/log'], access: 'read_write' },
      { file_id: ids['file/notes'], mount_path: '/mnt/in/notes.md' },
    ],
  })
  t.equal((session['resources'] as unknown[]).length, 3)
  t.match(await account.raw('GET', `/memory_stores/${ids['memory_store/log']}`), { body: { session_count: 1 } })
})

t.test('unsupported session options are refused before any call', async (t) => {
  const ids = await furnished()
  const asked: readonly Partial<SessionRequest>[] = [{ identity: 'x' }, { tunnel: 'x' }, { variables: { A: 'b' } }]
  for (const request of asked) t.throws(() => bodyFor(ids, request), Problem)
  const { environment: _, ...homeless } = helper.body
  const agent = declaration('agent', 'helper', homeless as AgentBody)
  t.throws(() => bodyFor(ids, {}, agent), Problem)
  t.match(bodyFor(ids, { environment: 'sandbox' }, agent), { environment_id: ids['environment/sandbox'] })
})

t.test('a message is answered, and its events are returned in order, each once', async (t) => {
  const ids = await furnished()
  const { id } = await sessions.create(account.call, bodyFor(ids))
  await sessions.send(account.call, String(id), 'Hello.')
  const types: unknown[] = []
  for await (const { type } of sessions.events(account.call, String(id), { follow: false })) types.push(type)
  t.strictSame(types, ['user.message', 'session.status_running', 'agent.message', 'session.status_idle'])
})

t.test('events are followed until the session has ended', async (t) => {
  const ids = await furnished()
  const { id } = await sessions.create(account.call, bodyFor(ids))
  await sessions.send(account.call, String(id), 'One.')
  const types: unknown[] = []
  for await (const { type } of sessions.events(account.call, String(id), { follow: true })) {
    types.push(type)
    if (types.length === 4) await sessions.send(account.call, String(id), 'Two.')
    if (types.length === 8) break
  }
  t.strictSame(types.slice(0, 4), types.slice(4))
})

t.test('the stream begins with ready and contains only later events', async (t) => {
  const ids = await furnished()
  const { id } = await sessions.create(account.call, bodyFor(ids))
  await sessions.send(account.call, String(id), 'Before.')
  const stopped = new AbortController()
  const response = await fetch(`${account.url}/ark/api/v3/sessions/${id}/events/stream`, {
    headers: { authorization: 'Bearer key' },
    signal: stopped.signal,
  })
  t.match(response.headers.get('content-type'), /text\/event-stream/)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array)
    if (text.endsWith(': ready\n\n')) await sessions.send(account.call, String(id), 'After.')
    if (text.includes('session.status_idle')) break
  }
  stopped.abort()
  const events = text.split('\n\n').filter((frame) => frame.startsWith('data: '))
  t.equal(events.length, 4)
  t.match(JSON.parse(events[0]?.slice('data: '.length) ?? ''), { type: 'user.message', content: [{ text: 'After.' }] })
})

t.test('a running session is interrupted before it is ended', async (t) => {
  const ids = await furnished()
  await account.knobs({ sessionsKeepRunning: true })
  const { id } = await sessions.create(account.call, bodyFor(ids))
  await sessions.send(account.call, String(id), 'Work.')
  t.equal((await account.raw('DELETE', `/sessions/${id}`)).status, 409)
  await sessions.archive(account.call, String(id))
  t.equal((await account.raw('GET', `/sessions/${id}`)).status, 404)
  await sessions.archive(account.call, String(id))
})

t.test(
  'sessions that block the removal of an environment are reported, and it can be removed once they are ended',
  async (t) => {
    const ids = await furnished()
    const { id } = await sessions.create(account.call, bodyFor(ids))
    const refused = await environment.remove(account.call, ids['environment/sandbox']).catch((error: unknown) => error)
    t.ok(isFailure(refused, 'inUse'))
    const blockers = (await environment.blockers?.(account.call, ids['environment/sandbox'])) ?? []
    t.strictSame(
      blockers.map(({ label }) => label),
      [`session ${id} (idle)`],
    )
    for (const { end } of blockers) await end(account.call)
    await environment.remove(account.call, ids['environment/sandbox'])
  },
)

t.test('sessions are listed, all or those of one agent', async (t) => {
  const ids = await furnished()
  for (let index = 0; index < 25; index++) await sessions.create(account.call, bodyFor(ids))
  const count = async (agentId?: string) => {
    let found = 0
    for await (const _ of sessions.list(account.call, agentId)) found++
    return found
  }
  t.equal(await count(), 25)
  t.equal(await count(ids['agent/helper']), 25)
  t.equal(await count('agent-other'), 0)
  t.match(await account.raw('GET', '/sessions?status=running'), { body: { data: [] } })
})

const nightly = (more: Partial<DeploymentBody> = {}) => {
  const rubric = account.source('rubric.md', { 'rubric.md': 'Good.' })
  const data = account.source('data/in.csv', { 'in.csv': 'a,b' })
  return declaration<DeploymentBody>(
    'deployment',
    'nightly',
    {
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
      ...more,
    },
    [rubric, data],
  )
}

t.test('2.16 a deployment is recorded in state only and uploads its files under names of its own', async (t) => {
  t.equal(deployment.isStateOnly, true)
  const one = nightly()
  t.strictSame(deployment.derive?.(one, scopeFor(one)), [
    { kind: 'file', name: 'nightly~data/in.csv', body: { source: 'data/in.csv', purpose: 'agent' } },
    { kind: 'file', name: 'nightly~rubric.md', body: { source: 'rubric.md', purpose: 'agent' } },
  ])
})

t.test('2.16 a run is a session with the initial events, sent at once', async (t) => {
  const ids = await furnished()
  const one = nightly()
  const uploads = { 'file/nightly~data/in.csv': ids['file/notes'], 'file/nightly~rubric.md': ids['file/notes'] }
  const scope = { ...scopeFor(one, { ...ids, ...uploads }), project: project(one, helper) }
  const body = deployments.request?.(one, scope) ?? {}
  t.strictSame(deployment.desired(one, scope), body)

  const session = await deployments.run(account.call, { id: null, body })
  t.match(session, {
    title: 'Runs at night.',
    agent: { id: ids['agent/helper'], version: 1 },
    resources: [
      { file_id: ids['file/notes'], mount_path: '/mnt/in.csv' },
      { memory_store_id: ids['memory_store/wiki'], access: 'read_write' },
      { memory_store_id: ids['memory_store/log'] },
      { file_id: ids['file/notes'], mount_path: '/mnt/in/notes.md' },
    ],
  })
  const sent = (await account.requests('POST')).filter(({ path }) => path.endsWith('/events'))
  t.strictSame(
    sent.map((request) => request.body),
    [
      {
        events: [
          { type: 'user.message', content: [{ type: 'text', text: 'Be brief.' }] },
          { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
          { type: 'user.define_outcome', rubric: { type: 'file', file_id: ids['file/notes'] }, max_iterations: 2 },
        ],
      },
    ],
  )
})

t.test('the error for a run with refused events names the waiting session', async (t) => {
  const ids = await furnished()
  const one = nightly({ initial_events: [{ type: 'user.define_outcome' }], resources: [] })
  const body = deployments.request?.(one, { ...scopeFor(one, ids), project: project(one, helper) }) ?? {}
  const refused = await deployments.run(account.call, { id: null, body }).catch((error: unknown) => error)
  t.match(refused, { diagnostics: [{ code: 'ark.run-without-events', detail: /session sesn-/ }] })
})

t.test('the emulator takes and gives back resources, titles and upgrades', async (t) => {
  const ids = await furnished()
  const { id } = await sessions.create(account.call, bodyFor(ids))
  const added = await account.raw('POST', `/sessions/${id}/resources`, { type: 'file', file_id: ids['file/notes'] })
  t.match(added.body, { id: String, mount_path: '/mnt/session/uploads/notes.md' })
  t.equal((await account.raw('DELETE', `/sessions/${id}/resources/${added.body['id']}`)).status, 200)
  t.match(await account.raw('GET', `/sessions/${id}/resources`), { body: { data: [{}, {}, {}] } })
  t.match(await account.raw('POST', `/sessions/${id}`, { title: 'New' }), { body: { title: 'New' } })
  await account.raw('POST', `/agents/${ids['agent/helper']}`, { version: 1, system: 'x' })
  const agent = { type: 'agent_with_upgrades', id: ids['agent/helper'], version: 2 }
  t.match(await account.raw('POST', `/sessions/${id}/upgrades`, { agent }), { body: { agent: { version: 2 } } })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const ids = await furnished()
  const base = { agent: ids['agent/helper'], environment_id: ids['environment/sandbox'] }
  const file = { type: 'file', file_id: ids['file/notes'] }
  const store = { type: 'memory_store', memory_store_id: ids['memory_store/wiki'] }
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
  for (const body of refused) t.equal((await account.raw('POST', '/sessions', body)).status, 400)
  const { id } = await sessions.create(account.call, bodyFor(ids))
  const text = [{ type: 'text', text: 'x' }]
  for (const events of [[], [{ type: 'system.message', content: text }], [{ type: 'user.dance' }]])
    t.equal((await account.raw('POST', `/sessions/${id}/events`, { events })).status, 400)
  t.equal((await account.raw('POST', `/sessions/${id}/resources`, store)).status, 400, 'only files can be added later')
})
