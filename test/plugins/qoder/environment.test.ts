// Environments of Qoder's managed API: self-hosted ones, those in use, those of either API.
import t from 'tap'
import { openQoder } from './subject.js'

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

t.test('a changed type replaces the environment, because the API cannot change it', async (t) => {
  const bench = await openQoder(t)
  bench.declare('environment', 'box', { config: { type: 'cloud' } })
  const { id } = await bench.create('environment', 'box')
  t.match(bench.handler('environment').fields['config/type'], { immutable: true })
  const answer = await bench.request('POST', `/environments/${id}`, { config: { type: 'self_hosted' } })
  t.match(answer, {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', param: 'config.type' } },
  })
})

t.test('an environment whose counter is stale is archived, and then counts as gone', async (t) => {
  const bench = await openQoder(t)
  await bench.turn({ staleSessionCount: true })
  bench.declare('environment', 'box', { config: { type: 'cloud' } })
  const { id } = await bench.create('environment', 'box')
  const agent = await bench.seed('agent', { name: 'somebody' })
  const { body } = await bench.request('POST', '/sessions', { agent, environment_id: id })
  await bench.request('DELETE', `/sessions/${body['id']}`)
  await bench.remove('environment', 'box')
  t.equal(await bench.isGone('environment', 'box'), true)
  t.strictSame(await bench.listed('environment'), [])
})

t.test('2.5 an external environment is found in either API', async (t) => {
  const bench = await openQoder(t)
  const managed = await bench.seed('environment', { name: 'managed' })
  const forward = await bench.seed('environment', { name: 'forward' }, { api: 'forward' })
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
