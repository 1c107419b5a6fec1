// Error bodies of Ark, and the keys and objects of its emulated account.
import t from 'tap'
import { classify } from '../../../plugins/ark/failure.js'
import { openArk } from './subject.js'

t.test('code and message of an error are kept, also without JSON', async (t) => {
  const body = { error: { code: 'Code', message: 'path must start with /' } }
  t.strictSame(classify({ method: 'POST', path: '/x', status: 400, headers: new Headers(), body }), {
    class: 'invalid',
    ...body.error,
  })
  t.strictSame(classify({ method: 'GET', path: '/x', status: 502, headers: new Headers(), body: '<html>' }), {
    class: 'retry',
    message: '<html>',
  })
})

t.test('the emulator checks for a key first, and accepts any key', async (t) => {
  const bench = await openArk(t)
  for (const path of ['/agents', '/nowhere'])
    t.match(await bench.request('GET', path, undefined, { authorization: 'Bearer ' }), {
      status: 401,
      body: { error: { code: String } },
    })
  const answer = await bench.request('GET', '/agents?limit=1', undefined, { authorization: 'Bearer x' })
  t.equal(answer.status, 200)
  t.ok(answer.headers.get('x-request-id'))
  t.match(await bench.request('GET', '/nowhere'), { status: 404, body: { error: { code: String, message: String } } })
})

t.test('objects of every kind can be seeded in the emulated account', async (t) => {
  const bench = await openArk(t)
  const kinds = ['environment', 'vault', 'skill', 'file', 'agent', 'memory_store']
  for (const kind of kinds) await bench.seed(kind, {}, { id: `my-${kind}` })
  await bench.seed('session', { agent: 'my-agent', environment_id: 'my-environment' }, { id: 'my-session' })
  const { body } = await bench.request('GET', '/_emulator/objects')
  const seeded = [...kinds, 'session'].map((kind) => ({ kind, id: `my-${kind}`, seeded: true }))
  t.match(body['objects'], seeded)
})
