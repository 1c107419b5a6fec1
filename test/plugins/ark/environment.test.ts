// Environments on Ark: names that are unique, members that cannot be declared.
import t, { type Test } from 'tap'
import type { Workbench } from '../workbench.js'
import { openArk } from './subject.js'

const bare = { config: { type: 'cloud' } }

async function opened(t: Test, body: object = bare): Promise<Workbench> {
  const bench = await openArk(t)
  bench.declare('environment', 'sandbox', body)
  return bench
}

t.test('a metadata key that survives its removal is emptied', async (t) => {
  const bench = await opened(t, { ...bare, metadata: { team: 'platform' } })
  await bench.turn({ ignoresNullInMetadata: true })
  await bench.create('environment', 'sandbox')
  bench.declare('environment', 'sandbox', bare)
  t.same(await bench.update('environment', 'sandbox'), [])
  t.match(bench.remote('environment', 'sandbox')['metadata'], { team: '' })
})

t.test('members that cannot be declared are not changed', async (t) => {
  const bench = await opened(t, { ...bare, description: 'Runs the checks.' })
  const { id } = await bench.create('environment', 'sandbox')
  await bench.change(String(id), { config: { env: { LANG: 'C' }, tos: { bucket: 'results' } } })
  bench.declare('environment', 'sandbox', bare)
  t.same(await bench.update('environment', 'sandbox'), [])
  t.match(bench.remote('environment', 'sandbox'), { config: { env: { LANG: 'C' }, tos: { bucket: 'results' } } })
})

t.test('the name sent is the declared one, reduced to the allowed characters', async (t) => {
  const bench = await opened(t)
  const names = { 'Build Server (EU)': 'build-server-eu', _x: 'env-x', 环境: 'env', 'a.b_c-9': 'a.b_c-9' }
  for (const [name, wire] of Object.entries(names)) {
    bench.declare('environment', 'sandbox', { ...bare, name })
    t.match(await bench.create('environment', 'sandbox'), { name: wire })
  }
  bench.declare('environment', 'x'.repeat(90), bare)
  t.equal(String((await bench.create('environment', 'x'.repeat(90)))['name']).length, 64)
})

for (const status of [409, 400])
  t.test(`a name in use gets a suffix, when the server refuses it with ${status}`, async (t) => {
    const bench = await opened(t)
    await bench.turn({ nameConflictStatus: status })
    for (const name of ['sandbox', 'sandbox-1']) await bench.seed('environment', { name })
    t.match(await bench.create('environment', 'sandbox'), { name: 'sandbox-2' })
    t.same(await bench.drift('environment', 'sandbox'), [])
  })

t.test('after fifteen suffixes the conflict is reported', async (t) => {
  const bench = await opened(t)
  for (let index = 0; index <= 15; index++) await bench.create('environment', 'sandbox')
  await t.rejects(bench.create('environment', 'sandbox'), { class: 'nameTaken' } as never)
})

t.test('an update does not send the name, unless the declared name changed', async (t) => {
  const bench = await opened(t)
  await bench.create('environment', 'sandbox')
  const { id } = await bench.create('environment', 'sandbox')
  bench.declare('environment', 'sandbox', { ...bare, description: 'Other' })
  await bench.update('environment', 'sandbox')
  t.strictSame(await bench.sent('POST', `/environments/${id}`), [{ description: 'Other' }])

  bench.declare('environment', 'sandbox', { ...bare, name: 'Renamed' })
  await bench.update('environment', 'sandbox')
  t.match(bench.remote('environment', 'sandbox'), { name: 'renamed' })
  bench.declare('environment', 'sandbox', { ...bare, name: 'sandbox' })
  await bench.update('environment', 'sandbox')
  t.match(bench.remote('environment', 'sandbox'), { name: 'sandbox-1' })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const bench = await opened(t)
  const { id } = await bench.create('environment', 'sandbox')
  const config = { type: 'cloud' }
  const networking = { type: 'limited', allowed_hosts: ['https://a.b'] }
  const refused: readonly (readonly [string, string, object | undefined, number])[] = [
    ['POST', '/environments', { name: 'Upper', config }, 400],
    ['POST', '/environments', { name: 'ok-name', config, colour: 'red' }, 400],
    ['POST', '/environments', { name: 'ok-name', config: { ...config, env: { ARK_KEY: 'x' } } }, 400],
    ['POST', '/environments', { name: 'ok-name', config: { ...config, networking } }, 400],
    ['POST', '/environments', { name: 'sandbox', config }, 409],
    ['PUT', `/environments/${id}`, { description: 'x' }, 404],
    ['GET', '/environments/env-unknown', undefined, 404],
    ['GET', '/environments?limit=101', undefined, 400],
    ['GET', '/environments?page=nonsense', undefined, 400],
  ]
  for (const [method, path, body, status] of refused) {
    const answer = await bench.request(method, path, body)
    t.equal(answer.status, status, `${method} ${path}`)
    t.match(answer.body, { error: { code: String, message: String } })
  }
  t.match((await bench.request('POST', '/environments', { name: 'sandbox' })).body, {
    error: { code: 'ResourceConflict', message: 'name: "sandbox" already exists in project "default"' },
  })
})
