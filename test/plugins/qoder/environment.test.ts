// Environments of Qoder's managed API, against the emulator.
import t from 'tap'
import { openQoder, seed, turn } from './subject.js'

const full = {
  name: 'Build box',
  description: 'For builds',
  config: {
    type: 'cloud',
    networking: { type: 'limited', allow_mcp_servers: true, allowed_hosts: ['b.example', 'a.example'] },
    packages: { apt: ['jq'], pip: ['httpx', 'rich'], npm: ['tsx'] },
    setup_script: 'echo ready\n',
  },
  metadata: { team: 'data', tier: 'one' },
} as const

t.test('an environment just created needs no change', async (t) => {
  const bench = await openQoder(t)
  const bodies = {
    full,
    bare: {},
    cloud: { config: { type: 'cloud' } },
    own: { config: { type: 'self_hosted' } },
    script: { config: { type: 'self_hosted', setup_script: 'true' } },
    open: { config: { type: 'cloud', networking: { type: 'unrestricted' } } },
    closed: { config: { type: 'cloud', networking: { type: 'limited' } } },
    implied: { config: { type: 'cloud', networking: { allowed_hosts: ['a.example'] } } },
  }
  for (const [name, body] of Object.entries(bodies)) {
    bench.declare('environment', name, body)
    await bench.create('environment', name)
    t.same(await bench.drift('environment', name), [], name)
  }
  t.equal(bench.remote('environment', 'bare')['name'], 'bare', 'the key is the default of the name')
  t.match(bench.remote('environment', 'bare')['config'], { type: 'cloud', networking: { type: 'unrestricted' } })
  t.match(bench.remote('environment', 'implied')['config'], { networking: { type: 'limited' } })
  t.equal((await bench.listed('environment')).length, Object.keys(bodies).length)
})

t.test('2.5 a self-hosted environment is sent with its type and script alone', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'own', { config: { type: 'self_hosted', setup_script: 'true' } })
  await bench.create('environment', 'own')
  bench.declare('environment', 'own', { config: { type: 'self_hosted', setup_script: 'false' } })
  t.same(await bench.update('environment', 'own'), [])
  const [created] = await bench.sent('POST', '/environments')
  t.strictSame(created?.['config'], { type: 'self_hosted', setup_script: 'true' })
  const [updated] = await bench.sent('POST', bench.id('environment', 'own'))
  t.strictSame(updated, { config: { type: 'self_hosted', setup_script: 'false' } })
})

t.test('every field of an environment can be changed and cleared', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', full)
  await bench.create('environment', 'box')
  const config = (change: object) => ({ ...full, config: { ...full.config, ...change } })
  const changes = [
    { ...full, name: 'Other' },
    { ...full, name: undefined },
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    config({ networking: { ...full.config.networking, allowed_hosts: ['c.example'] } }),
    config({ networking: { ...full.config.networking, allow_mcp_servers: false } }),
    config({ networking: { ...full.config.networking, allow_package_managers: true } }),
    config({ networking: undefined }),
    config({ packages: { ...full.config.packages, pip: ['httpx'] } }),
    config({ packages: { pip: ['httpx'] } }),
    config({ packages: undefined }),
    config({ setup_script: 'echo other' }),
    config({ setup_script: undefined }),
    { ...full, metadata: { team: 'other' } },
    { ...full, metadata: undefined },
    { config: { type: 'cloud' } },
    full,
  ]
  for (const body of changes) {
    bench.declare('environment', 'box', body)
    t.not((await bench.drift('environment', 'box')).length, 0, 'the plan shows the change')
    t.same(await bench.update('environment', 'box'), [], 'the second plan is empty')
  }
})

t.test('a changed type replaces the environment, because the API cannot change it', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', full)
  const { id } = await bench.create('environment', 'box')
  t.match(bench.handler('environment').fields['config/type'], { immutable: true })
  const answer = await bench.request('POST', `/environments/${id}`, { config: { type: 'self_hosted' } })
  t.match(answer, {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', param: 'config.type' } },
  })
})

t.test('changes by other clients are planned and reverted, except the order of lists', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', full)
  const { id } = await bench.create('environment', 'box')
  await bench.change(String(id), {
    description: 'by hand',
    config: {
      networking: { allowed_hosts: ['a.example', 'b.example'] },
      packages: { pip: ['rich', 'httpx'], apt: [] },
    },
    metadata: { team: null, stranger: 'yes' },
  })
  const seen = ['config/packages/apt', 'description', 'metadata/stranger', 'metadata/team']
  t.same(await bench.drift('environment', 'box'), seen)
  t.same(await bench.update('environment', 'box'), [])
})

t.test('ownership marks are written with metadata and survive its removal', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', full)
  await bench.create('environment', 'box')
  bench.declare('environment', 'box', { ...full, metadata: undefined })
  await bench.update('environment', 'box')
  t.strictSame(bench.remote('environment', 'box')['metadata'], { 'agents.project': 'demo', 'agents.resource': 'box' })
})

t.test('a session in the environment blocks its removal until it is ended', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', full)
  const { id } = await bench.create('environment', 'box')
  const agent = await seed(bench, 'agent', { name: 'somebody' })
  const session = await bench.request('POST', '/sessions', { agent, environment_id: id })
  await bench.request('POST', '/sessions', {
    agent,
    environment_id: await seed(bench, 'environment', { name: 'else' }),
  })
  await t.rejects(bench.remove('environment', 'box'), { class: 'inUse', code: 'conflict_error' })
  const blockers = (await bench.handler('environment').blockers?.(bench.call, String(id))) ?? []
  t.strictSame(
    blockers.map(({ label }) => label),
    [`session ${session.body['id']} (idle)`],
  )
  for (const blocker of blockers) await blocker.end(bench.call)
  await bench.remove('environment', 'box')
  t.equal((await bench.request('GET', `/environments/${id}`)).status, 404)
})

t.test('an environment whose counter is stale is archived, and then counts as gone', async (t) => {
  const bench = await openQoder(t)
  await turn(bench, { staleSessionCount: true })
  bench.declare('environment', 'box', full)
  const { id } = await bench.create('environment', 'box')
  const agent = await seed(bench, 'agent', { name: 'somebody' })
  const { body } = await bench.request('POST', '/sessions', { agent, environment_id: id })
  await bench.request('DELETE', `/sessions/${body['id']}`)
  await bench.remove('environment', 'box')
  t.equal(await bench.isGone('environment', 'box'), true)
  t.strictSame(await bench.listed('environment'), [])
})

t.test('2.5 an external environment is found in either API', async (t) => {
  const bench = await openQoder(t)
  const managed = await seed(bench, 'environment', { name: 'managed' })
  const forward = await seed(bench, 'environment', { name: 'forward' }, 'forward')
  const handler = bench.handler('environment')
  for (const id of [managed, forward]) t.equal((await handler.read(bench.call, id))['id'], id)
  await t.rejects(handler.read(bench.call, 'env_unknown'), { class: 'gone', code: 'not_found' })
  await t.rejects(
    handler.read(bench.call, '../agents'),
    { class: 'gone', code: 'not_found' },
    'an id cannot reach another resource',
  )
})

t.test('metadata keys are managed unless the service wrote them', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', { metadata: { created_by: 'me' } })
  const { id } = await bench.create('environment', 'box')
  t.same(await bench.drift('environment', 'box'), [])
  bench.declare('environment', 'box', {})
  t.same(await bench.drift('environment', 'box'), ['metadata/created_by'])
  await bench.change(String(id), { metadata: { created_by: 'forward' } })
  t.same(await bench.drift('environment', 'box'), [], 'a mark written by the forward API')
})
