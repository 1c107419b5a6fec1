// Sessions on Qoder in both APIs and their events, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { Call, Remote } from '../../../core/plugin/handler.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { QoderClient } from '../../../plugins/qoder/client.js'
import { sessions } from '../../../plugins/qoder/sessions.js'
import type { Workbench } from '../workbench.js'
import { openForward, openQoder } from './subject.js'

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const common = {
  model: 'auto',
  instructions: 'Help.',
  environment: 'sandbox',
  vault: 'keys',
  files: ['handbook', { file: 'handbook', mount_path: 'docs/handbook.md' }],
  environment_variables: { CHANNEL: 'stable', LEVEL: '1' },
} as const
const managed = {
  ...common,
  memory_stores: ['wiki', 'log'],
  resources: [
    { type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' },
    { type: 'git_repository', url: 'https://git.example/acme/tools.git', authorization_token: 'ghp_very_secret' },
  ],
}
const forward = { ...common, delivery: { qoder: { type: 'forward' } } }

async function furnished(bench: Workbench, body: object): Promise<Workbench> {
  bench.declare('environment', 'sandbox', {})
  bench.declare('file', 'handbook', { source: 'files/handbook.md' }, { 'files/handbook.md': 'Be kind.' })
  for (const name of ['keys', 'more']) bench.declare('vault', name, {})
  for (const name of ['wiki', 'log']) bench.declare('memory_store', name, {})
  bench.declare('agent', 'helper', body)
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

async function withIdentity(t: Test): Promise<Workbench> {
  const bench = await furnished(await openForward(t), forward)
  bench.declare('identity', 'everyone', { external_id: 'team' })
  await bench.create('identity', 'everyone')
  return bench
}

const call = (bench: Workbench) => bench.call as Call<QoderClient> // The workbench connected this provider.

function bodyFor(bench: Workbench, request: Partial<SessionRequest> = {}) {
  const declaration = bench.declaration('agent', 'helper')
  return bench.expanded(sessions.request(declaration, { ...nothing, ...request }, bench.scope(declaration)))
}

const start = (bench: Workbench, request: Partial<SessionRequest> = {}): Promise<Remote> =>
  sessions.create(call(bench), bodyFor(bench, request))

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

t.test(
  '2.14 a managed session has the resources of the agent, and an explicit resource overrides the shorthand',
  async (t) => {
    const bench = await furnished(await openQoder(t), managed)
    const request = {
      title: 'Try',
      vaults: ['more', 'keys'],
      files: ['handbook'],
      variables: { LEVEL: '2', MORE: 'a=b' },
    }
    const body = bodyFor(bench, request)
    t.equal(body['environment_variables'], 'CHANNEL=stable;LEVEL=2;MORE=a=b')
    const session = await sessions.create(call(bench), body)
    const file_id = bench.id('file', 'handbook')
    t.match(session, {
      status: 'idle',
      title: 'Try',
      agent: { id: bench.id('agent', 'helper') },
      environment_id: bench.id('environment', 'sandbox'),
      vault_ids: [bench.id('vault', 'keys'), bench.id('vault', 'more')],
      resources: [
        { type: 'file', file_id, mount_path: '/data/workspace/handbook.md' },
        { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
        { type: 'github_repository', mount_path: '/data/workspace/tools' },
        { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
        { type: 'file', file_id, mount_path: '/data/docs/handbook.md' },
      ],
    })
  },
)

t.test('2.6 a managed session is started with the tunnel of its agent, or with another', async (t) => {
  const bench = await furnished(await openQoder(t), { ...managed, tunnel: 'office' })
  bench.declare('tunnel', 'office', { tunnel_id: 'tnl_emulator' })
  bench.declare('tunnel', 'home', { tunnel_id: 'tnl_home' })
  const declaration = bench.declaration('agent', 'helper')
  const scope = { ...bench.scope(declaration), output: (kind: string, name: string) => `${kind} ${name}` }
  t.equal(sessions.request(declaration, nothing, scope)['tunnel_id'], 'tunnel office')
  t.equal(sessions.request(declaration, { ...nothing, tunnel: 'home' }, scope)['tunnel_id'], 'tunnel home')
})

t.test('2.11 a forward session acts for an identity and sends its variables as a map', async (t) => {
  const bench = await withIdentity(t)
  const session = await start(bench, { identity: 'everyone', files: ['handbook'], variables: { LEVEL: '2' } })
  const file_id = bench.id('file', 'handbook')
  t.match(session, {
    identity_id: bench.id('identity', 'everyone'),
    template: { id: bench.id('agent', 'helper') },
    config: { environment_variables: { CHANNEL: 'stable', LEVEL: '2' } },
    resources: [
      { file_id, mount_path: '/data/workspace/handbook.md' },
      { file_id, mount_path: '/data/docs/handbook.md' },
    ],
  })
})

t.test('unsupported session options are refused before any call', async (t) => {
  const first = await furnished(await openQoder(t), managed)
  const second = await withIdentity(t)
  const asked: readonly (readonly [Workbench, Partial<SessionRequest>, string])[] = [
    [first, { identity: 'x' }, 'qoder.session-option'],
    [first, { variables: { A: 'b;c' } }, 'qoder.session-environment-variable'],
    [first, { variables: { 'A=': 'b' } }, 'qoder.session-environment-variable'],
    [second, {}, 'qoder.session-without-identity'],
    [second, { identity: 'everyone', environment: 'sandbox' }, 'qoder.session-option'],
    [second, { identity: 'everyone', vaults: ['keys'] }, 'qoder.session-option'],
    [second, { identity: 'everyone', memoryStores: ['wiki'] }, 'qoder.session-option'],
    [second, { identity: 'everyone', tunnel: 'office' }, 'qoder.session-option'],
  ]
  for (const [bench, request, code] of asked) {
    const refusal = await refusalOf((async () => bodyFor(bench, request))())
    t.match(refusal, [{ code, fix: /\.$/ }])
  }
  t.same(await first.sent('POST', '/sessions'), [])
  t.same(await second.sent('POST', '/sessions'), [])
})

const kinds = {
  managed: async (t: Test) => furnished(await openQoder(t), managed),
  forward: withIdentity,
}

for (const [api, open] of Object.entries(kinds)) {
  const request = api === 'forward' ? { identity: 'everyone' } : {}

  t.test(`a ${api} session is listed by its agent, receives messages, and returns its events in order`, async (t) => {
    const bench = await open(t)
    const id = String((await start(bench, request))['id'])
    const listed = async (agent?: string) =>
      (await all(sessions.list(call(bench), agent))).map((session) => session['id'])
    t.same(await listed(), [id])
    t.same(await listed(bench.id('agent', 'helper')), [id])
    t.same(await listed('agent_other'), [])
    t.match(await sessions.read(call(bench), id), { id, status: 'idle' })
    t.match(await sessions.send(call(bench), id, 'Hello.'), { type: 'user.message' })
    const events = await all(sessions.events(call(bench), id, { follow: false }))
    t.same(
      events.map(({ type }) => type),
      ['user.message', 'session.status_running', 'agent.message', 'session.status_idle'],
    )
  })

  t.test(`events of a ${api} session are followed as they arrive, each once`, async (t) => {
    const bench = await open(t)
    const id = String((await start(bench, request))['id'])
    await sessions.send(call(bench), id, 'First.')
    const types: unknown[] = []
    for await (const { type } of sessions.events(call(bench), id, { follow: true })) {
      types.push(type)
      if (types.length === 4) await sessions.send(call(bench), id, 'Second.')
      if (types.length === 8) break
    }
    t.same(types.slice(0, 4), types.slice(4))
  })

  t.test(`a ${api} session is archived, and ended for good as far as that can be`, async (t) => {
    const bench = await open(t)
    const [one, other] = [await start(bench, request), await start(bench, request)].map(({ id }) => String(id))
    await sessions.archive(call(bench), one ?? '')
    t.match(await sessions.read(call(bench), one ?? ''), { archived_at: String })
    await sessions.delete?.(call(bench), other ?? '')
    if (api === 'forward') t.match(await sessions.read(call(bench), other ?? ''), { archived_at: String })
    else await t.rejects(sessions.read(call(bench), other ?? ''))
  })
}
