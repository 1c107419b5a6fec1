// Sessions on Claude and their events, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import type { Call } from '../../../core/plugin/handler.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { ClaudeClient } from '../../../plugins/claude/client.js'
import { sessions } from '../../../plugins/claude/sessions.js'
import type { Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const agent = {
  model: 'any',
  instructions: 'Help.',
  environment: 'sandbox',
  vault: 'keys',
  files: ['handbook', { file: 'handbook', mount_path: 'docs/handbook.md' }],
  memory_stores: ['wiki', 'log'],
  resources: [
    { type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' },
    { type: 'git_repository', url: 'https://git.example/acme/tools.git', authorization_token: 'ghp_very_secret' },
  ],
}

async function furnished(t: Test, body: object = agent): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('file', 'handbook', { source: 'files/handbook.md' }, { 'files/handbook.md': 'Be kind.' })
  for (const name of ['keys', 'more']) bench.declare('vault', name, {})
  for (const name of ['wiki', 'log']) bench.declare('memory_store', name, {})
  bench.declare('agent', 'helper', body)
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

const call = (bench: Workbench) => bench.call as Call<ClaudeClient> // The workbench connected this provider.

function bodyFor(bench: Workbench, request: Partial<SessionRequest> = {}) {
  const declaration = bench.declaration('agent', 'helper')
  return bench.expanded(sessions.request(declaration, { ...nothing, ...request }, bench.scope(declaration)))
}

async function start(bench: Workbench, request: Partial<SessionRequest> = {}): Promise<string> {
  return String((await sessions.create(call(bench), bodyFor(bench, request)))['id'])
}

t.test('2.14 a session has the resources of the agent, and an explicit resource overrides the shorthand', async (t) => {
  const bench = await furnished(t)
  const request = { title: 'Try', vaults: ['more', 'keys'], memoryStores: ['log'], files: ['handbook'] }
  const session = await sessions.create(call(bench), bodyFor(bench, request))
  const file_id = bench.id('file', 'handbook')
  t.match(session, {
    status: 'idle',
    title: 'Try',
    agent: { id: bench.id('agent', 'helper'), version: 1 },
    environment_id: bench.id('environment', 'sandbox'),
    vault_ids: [bench.id('vault', 'keys'), bench.id('vault', 'more')],
    resources: [
      { type: 'file', file_id, mount_path: '/workspace/handbook.md' },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
      { type: 'github_repository', url: 'https://git.example/acme/tools', mount_path: '/workspace/tools' },
      { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
      { type: 'file', file_id, mount_path: '/workspace/docs/handbook.md' },
    ],
  })
  t.equal((session['resources'] as unknown[]).length, 5)
})

t.test('unsupported session options are refused before any call', async (t) => {
  const bench = await furnished(t, { model: 'any', instructions: 'Help.' })
  const before = await bench.sent('POST', '')
  const asked: readonly (readonly [Partial<SessionRequest>, string])[] = [
    [{ environment: 'sandbox', identity: 'x' }, 'claude.session-option'],
    [{ environment: 'sandbox', tunnel: 'x' }, 'claude.session-option'],
    [{ environment: 'sandbox', variables: { A: 'b' } }, 'claude.session-option'],
    [{}, 'claude.session-without-environment'],
  ]
  for (const [request, code] of asked) {
    const refuse = () => bodyFor(bench, request)
    t.throws(refuse, Problem)
    t.throws(refuse, { diagnostics: [{ code, fix: String }] } as unknown as Error)
  }
  t.match(bodyFor(bench, { environment: 'sandbox' }), { environment_id: bench.id('environment', 'sandbox') })
  t.equal((await bench.sent('POST', '')).length, before.length)
})

t.test('a message is answered, and its events are returned in order, each once', async (t) => {
  const bench = await furnished(t)
  const id = await start(bench)
  await sessions.send(call(bench), id, 'Hello.')
  const types: unknown[] = []
  for await (const { type } of sessions.events(call(bench), id, { follow: false })) types.push(type)
  t.same(types, ['user.message', 'session.status_running', 'agent.message', 'session.status_idle'])
})

t.test('events are followed from the first, and each later one is returned once', async (t) => {
  const bench = await furnished(t)
  const id = await start(bench)
  await sessions.send(call(bench), id, 'One.')
  const types: unknown[] = []
  for await (const { type } of sessions.events(call(bench), id, { follow: true })) {
    types.push(type)
    if (types.length === 4) await sessions.send(call(bench), id, 'Two.')
    if (types.length === 8) break
  }
  t.same(types.slice(0, 4), types.slice(4))
})

t.test('a message can be followed while it is written, and its cost is in units of the currency', async (t) => {
  const bench = await furnished(t)
  const id = await start(bench)
  await sessions.send(call(bench), id, 'One.')
  const signs: unknown[] = []
  for await (const event of sessions.events(call(bench), id, { follow: true, asWritten: true })) {
    const sign = sessions.sign?.(event)
    if (sign) signs.push(sign)
    if (signs.length === 3) await sessions.send(call(bench), id, 'Two.')
    if (signs.length > 3 && sign?.type === 'rests') break
  }
  const text = 'Done: Two.'
  t.match(signs.slice(3), [
    { type: 'runs' },
    { type: 'writes', text: text.slice(0, 5) },
    { type: 'writes', text: text.slice(5) },
    { type: 'says', text },
    { type: 'rests', reason: 'done' },
  ])
  const cost = (amount: string, currency: string) =>
    sessions.usage?.({ usage: { list_cost: { amount, currency } } })?.cost?.amount
  t.same([cost('2500', 'USD'), cost('5', 'USD'), cost('120', 'JPY')], ['25.00', '0.05', '120'])
  t.equal(sessions.usage?.({}), undefined)
})

t.test('a running session is interrupted before it is archived or deleted', async (t) => {
  const bench = await furnished(t)
  await bench.request('PUT', '/_emulator/knobs', { claude: { turns: 'stay' } })
  for (const end of [sessions.archive, sessions.delete]) {
    const id = await start(bench)
    await sessions.send(call(bench), id, 'Work.')
    t.match(await sessions.read(call(bench), id), { status: 'running' })
    t.equal((await bench.request('POST', `/sessions/${id}/archive`, {})).status, 400)
    await end?.(call(bench), id)
    await end?.(call(bench), id)
    const { status, body } = await bench.request('GET', `/sessions/${id}`)
    t.ok(status === 404 || body['status'] === 'terminated')
  }
})

t.test(
  'sessions that block the removal of an environment are reported, and it can be removed once they are ended',
  async (t) => {
    const bench = await furnished(t)
    const id = await start(bench)
    const environmentId = bench.id('environment', 'sandbox')
    await t.rejects(bench.remove('environment', 'sandbox'), { class: 'inUse', code: 'conflict_error' })
    const blockers = (await bench.handler('environment').blockers?.(bench.call, environmentId)) ?? []
    t.same(
      blockers.map(({ label }) => label),
      [`session ${id} (idle)`],
    )
    for (const { end } of blockers) await end(bench.call)
    await bench.remove('environment', 'sandbox')
  },
)

t.test('sessions are listed page after page, all or those of one agent', async (t) => {
  const bench = await furnished(t, { model: 'any', instructions: 'Help.', environment: 'sandbox' })
  bench.declare('agent', 'other', { model: 'any', instructions: 'Help.' })
  const other = String((await bench.create('agent', 'other'))['id'])
  for (let index = 0; index < 101; index++) await start(bench)
  const count = async (agentId?: string) => {
    let found = 0
    for await (const _ of sessions.list(call(bench), agentId)) found++
    return found
  }
  t.equal(await count(), 101)
  t.equal(await count(bench.id('agent', 'helper')), 101)
  t.equal(await count(other), 0)
})
