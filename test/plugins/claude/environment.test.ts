// Environments on Claude, against the emulator.
import t from 'tap'
import { openClaude } from './subject.js'

const full = {
  name: 'Sandbox',
  description: 'For reviews',
  config: {
    type: 'cloud',
    networking: {
      type: 'limited',
      allow_package_managers: true,
      allow_mcp_servers: true,
      allowed_hosts: ['b.example', 'a.example'],
    },
    packages: { pip: ['pandas', 'numpy'], apt: ['jq'] },
  },
  metadata: { team: 'data' },
} as const
const minimal = { config: { type: 'cloud' } }

t.test('an environment just created needs no change', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'full', full)
  bench.declare('environment', 'minimal', minimal)
  await bench.create('environment', 'full')
  await bench.create('environment', 'minimal')
  t.same(await bench.drift('environment', 'full'), [])
  t.same(await bench.drift('environment', 'minimal'), [])
  t.equal(bench.remote('environment', 'minimal')['name'], 'minimal', 'the key is the default of the name')
  const handler = bench.handler('environment')
  t.type(handler.createdAtMs?.(bench.remote('environment', 'full')), 'number')
})

t.test('every field of an environment can be changed and cleared', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', full)
  await bench.create('environment', 'sandbox')
  const { config } = full
  const { networking, packages } = config
  const changes = [
    { ...full, name: 'Other' },
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, config: { ...config, networking: { type: 'unrestricted' } } },
    { ...full, config: { type: 'cloud', networking: { type: 'limited' } } },
    { ...full, config: { ...config, networking: { ...networking, allow_mcp_servers: undefined } } },
    { ...full, config: { ...config, networking: { ...networking, allowed_hosts: ['a.example'] } } },
    { ...full, config: { ...config, networking: { ...networking, allowed_hosts: [] } } },
    { ...full, config: { ...config, packages: { ...packages, pip: ['pandas'] } } },
    { ...full, config: { ...config, packages: { npm: ['typescript'] } } },
    { ...full, config: { ...config, packages: undefined } },
    { ...full, metadata: { team: 'other', owner: 'me' } },
    { ...full, metadata: undefined },
    minimal,
    full,
  ]
  for (const body of changes) {
    bench.declare('environment', 'sandbox', body)
    t.not((await bench.drift('environment', 'sandbox')).length, 0, 'the plan shows the change')
    t.same(await bench.update('environment', 'sandbox'), [], 'the second plan is empty')
  }
})

t.test('2.5 hosts without a type make a limited network', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud', networking: { allowed_hosts: ['a.example'] } } })
  const { config } = await bench.create('environment', 'sandbox')
  t.match(config, { networking: { type: 'limited', allowed_hosts: ['a.example'], allow_mcp_servers: false } })
})

t.test('changes by other clients are planned and reverted', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', full)
  const { id } = await bench.create('environment', 'sandbox')
  await bench.change(String(id), {
    description: 'by hand',
    config: { packages: { gem: ['rake'] }, networking: { allow_mcp_servers: false } },
    metadata: { by: 'hand', 'agents.resource': null },
  })
  t.same(await bench.drift('environment', 'sandbox'), [
    'config/networking/allow_mcp_servers',
    'config/packages/gem',
    'description',
    'metadata/agents.resource',
    'metadata/by',
  ])
  t.same(await bench.update('environment', 'sandbox'), [])
})

t.test('ordering and defaults of the server are not drift', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', full)
  const { id } = await bench.create('environment', 'sandbox')
  await bench.change(String(id), {
    scope: 'account',
    config: { packages: { pip: ['numpy', 'pandas'] }, networking: { allowed_hosts: ['a.example', 'b.example'] } },
  })
  t.same(await bench.drift('environment', 'sandbox'), [])
})

t.test('a live session blocks a removal until it is ended', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', minimal)
  bench.declare('agent', 'helper', { model: 'any', instructions: 'Help.' })
  const environment = await bench.create('environment', 'sandbox')
  const agent = await bench.create('agent', 'helper')
  const session = await bench.request('POST', '/sessions', { agent: agent['id'], environment_id: environment['id'] })
  await t.rejects(bench.remove('environment', 'sandbox'), { class: 'inUse', code: 'conflict_error' })
  const handler = bench.handler('environment')
  const blockers = (await handler.blockers?.(bench.call, String(environment['id']))) ?? []
  t.same(
    blockers.map(({ label }) => label),
    [`session ${String(session.body['id'])} (idle)`],
  )
  for (const blocker of blockers) await blocker.end(bench.call)
  t.same(await handler.blockers?.(bench.call, String(environment['id'])), [])
  await bench.remove('environment', 'sandbox')
  await t.rejects(bench.isGone('environment', 'sandbox'), { class: 'gone', code: 'not_found_error' })
})

t.test('a running session is interrupted before it is ended', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', minimal)
  bench.declare('agent', 'helper', { model: 'any', instructions: 'Help.' })
  const environment = await bench.create('environment', 'sandbox')
  const agent = await bench.create('agent', 'helper')
  await bench.request('PUT', '/_emulator/knobs', { claude: { turns: 'stay' } })
  const events = [{ type: 'user.message', content: [{ type: 'text', text: 'hi' }] }]
  const body = { agent: agent['id'], environment_id: environment['id'], initial_events: events }
  const session = await bench.request('POST', '/sessions', body)
  t.equal(session.body['status'], 'running')
  const [blocker] = (await bench.handler('environment').blockers?.(bench.call, String(environment['id']))) ?? []
  t.match(blocker?.label, /\(running\)/)
  await blocker?.end(bench.call)
  await bench.remove('environment', 'sandbox')
})

t.test('an archived environment counts as gone, also in the error of a write', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', minimal)
  const { id } = await bench.create('environment', 'sandbox')
  await bench.request('POST', `/environments/${String(id)}/archive`, {})
  t.equal(await bench.isGone('environment', 'sandbox'), true)
  t.same(await bench.listed('environment'), [])
  bench.declare('environment', 'sandbox', full)
  await t.rejects(bench.update('environment', 'sandbox'), { class: 'gone', code: 'environment_archived' })
})

t.test('lists continue over all pages', async (t) => {
  const bench = await openClaude(t)
  for (let index = 0; index < 105; index++)
    await bench.request('POST', '/_emulator/objects', { provider: 'claude', kind: 'environment' })
  t.equal(new Set(await bench.listed('environment')).size, 105)
})
