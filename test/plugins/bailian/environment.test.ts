// Environments on bailian, against the emulator.
import t from 'tap'
import { openBailian } from './subject.js'

const full = {
  name: 'Data work',
  description: 'With pandas',
  config: {
    type: 'cloud',
    networking: { type: 'unrestricted' },
    packages: { pip: ['pandas', 'numpy'], apt: ['jq'], cargo: ['ripgrep'] },
  },
  metadata: { team: 'data' },
}

t.test('an environment just created needs no change', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  bench.declare('environment', 'small', { config: { type: 'cloud' } })
  await bench.create('environment', 'data')
  await bench.create('environment', 'small')
  t.same(await bench.drift('environment', 'data'), [])
  t.same(await bench.drift('environment', 'small'), [])
  t.match(bench.remote('environment', 'data'), {
    name: 'Data work',
    config: { type: 'cloud', networking: { type: 'unrestricted' }, packages: { npm: [] } },
    metadata: { team: 'data', 'agents.project': 'demo', 'agents.resource': 'data' },
  })
  t.equal(bench.remote('environment', 'small')['name'], 'small', 'the key is the default of the name')
  t.same(await bench.listed('environment'), [bench.id('environment', 'small'), bench.id('environment', 'data')])
})

t.test('every field of an environment can be changed and cleared', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  await bench.create('environment', 'data')
  const changes = [
    { ...full, name: 'Other' },
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, config: { ...full.config, packages: { pip: ['pandas'], npm: ['zx'] } } },
    { ...full, config: { type: 'cloud' } },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    { config: { type: 'cloud' } },
    full,
  ]
  for (const body of changes) {
    bench.declare('environment', 'data', body)
    t.not((await bench.drift('environment', 'data')).length, 0, 'the plan shows the change')
    t.same(await bench.update('environment', 'data'), [], 'the second plan is empty')
  }
})

t.test('an update sends what changed and keeps the rest', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  await bench.create('environment', 'data')
  bench.declare('environment', 'data', { ...full, description: 'Other' })
  await bench.update('environment', 'data')
  const { body } = await bench.request('GET', '/_emulator/requests')
  const updates = (body['requests'] as { method: string; path: string; body: unknown }[]).filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/environments/'),
  )
  t.same(
    updates.map(({ body }) => body),
    [{ description: 'Other' }],
  )
})

t.test('changes by other clients are planned leaf by leaf, and reverted', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  await bench.create('environment', 'data')
  const path = `/_emulator/objects/${bench.id('environment', 'data')}`
  await bench.request('PATCH', path, {
    description: 'X',
    config: { packages: { gem: ['rake'] } },
    metadata: { by: 'x' },
  })
  t.same(await bench.drift('environment', 'data'), ['config/packages/gem', 'description', 'metadata/by'])
  t.same(await bench.update('environment', 'data'), [])
  await bench.request('PATCH', path, { config: { packages: { pip: ['numpy', 'pandas'] } } })
  t.same(await bench.drift('environment', 'data'), [], 'the order of packages is ignored')
})

t.test('a removed environment is gone, an archived one counts as gone', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  await bench.create('environment', 'data')
  const path = `/environments/${bench.id('environment', 'data')}`
  await bench.request('POST', `${path}/archive`)
  t.equal(await bench.isGone('environment', 'data'), true)
  t.same(await bench.listed('environment'), [])
  await bench.remove('environment', 'data')
  t.match(await bench.request('GET', path), { status: 404, body: { error: { code: 'not_found_error' } } })
  await t.rejects(bench.remove('environment', 'data'), { class: 'gone', code: 'not_found_error' })
})

t.test('a name in use is recognised as such', async (t) => {
  const bench = await openBailian(t)
  bench.declare('environment', 'data', full)
  await bench.create('environment', 'data')
  await t.rejects(bench.create('environment', 'data'), { class: 'nameTaken', code: '11300026', status: 409 })
})
