// Addresses of calls, and interpretation of responses.
import t from 'tap'
import { Check } from 'typebox/value'
import { AnyObject } from '../../../core/plugin/answer.js'
import type { FailureClass } from '../../../core/plugin/failure.js'
import type { HttpRequest } from '../../../core/ports/http.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { configuration, connect, identify } from '../../../plugins/ark/client.js'
import { classify } from '../../../plugins/ark/failure.js'
import { ark } from '../../../plugins/ark/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { Account } from './account.js'

t.test('calls go to the fixed address, to base_url, or to the emulator alone', async (t) => {
  const seen: HttpRequest[] = []
  const environment = {
    http: async (request: HttpRequest) => {
      seen.push(request)
      return { status: 200, headers: new Headers(), text: '{"id":"x"}' }
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: { uuid: () => '', fraction: () => 0 },
  }
  const given = { api_key: 'secret', base_url: 'https://ark.example.com/api/v3/' }
  await connect({ api_key: 'secret' }, environment).get('/agents')
  await connect(given, environment).get('/agents')
  await connect(given, { ...environment, emulatorUrl: 'http://127.0.0.1:4750' }).get('/agents')
  t.strictSame(
    seen.map(({ url }) => url),
    [
      'https://ark.cn-beijing.volces.com/api/v3/agents',
      'https://ark.example.com/api/v3/agents',
      'http://127.0.0.1:4750/ark/api/v3/agents',
    ],
  )
  t.match(seen[0]?.headers, { authorization: 'Bearer secret' })
  t.strictSame(identify({ api_key: 'secret' }), { host: 'https://ark.cn-beijing.volces.com/api/v3' })
})

t.test('5 the configuration is an API key and nothing unknown', async (t) => {
  t.ok(Check(configuration, { api_key: 'x' }))
  t.notOk(Check(configuration, {}))
  t.notOk(Check(configuration, { api_key: 'x', workspace_id: 'y' }))
})

const meanings: readonly (readonly [string, string, number, string, FailureClass])[] = [
  ['a stale version, which comes with 400', 'POST', 400, 'version: conflict', 'stale'],
  ['a taken name with 409', 'POST', 409, 'name: "x" already exists in project "default"', 'nameTaken'],
  ['a taken name with 400', 'POST', 400, 'name: "x" already exists in project "default"', 'nameTaken'],
  ['a duplicate match key', 'POST', 409, 'duplicate', 'nameTaken'],
  ['a full vault', 'POST', 409, 'a vault holds at most 100 credentials', 'invalid'],
  ['something in use', 'DELETE', 409, 'the environment is used by session sesn-1', 'inUse'],
  ['a bad field', 'POST', 400, 'path must start with /', 'invalid'],
  ['a bad field with 422', 'POST', 422, 'unprocessable', 'invalid'],
  ['a wrong key', 'GET', 401, 'no', 'denied'],
  ['a missing permission', 'GET', 403, 'no', 'denied'],
  ['an unknown id', 'GET', 404, 'no', 'gone'],
  ['too many requests', 'GET', 429, 'slow down', 'retry'],
  ['a server in trouble', 'GET', 503, 'no', 'retry'],
]
for (const [title, method, status, message, expected] of meanings)
  t.test(`the response is interpreted: ${title}`, async (t) => {
    const body = { error: { code: 'Code', message } }
    t.strictSame(classify({ method, path: '/x', status, body }), { class: expected, code: 'Code', message })
  })

t.test('an error is classified by its code alone, and without JSON', async (t) => {
  const body = { error: { code: 'ResourceConflict', message: 'taken' } }
  t.match(classify({ method: 'POST', path: '/x', status: 400, body }), { class: 'nameTaken' })
  t.strictSame(classify({ method: 'GET', path: '/x', status: 502, body: '<html>' }), {
    class: 'retry',
    message: '<html>',
  })
})

t.test('the provider states its support of every kind, and has a handler for each supported one', async (t) => {
  const { handlers, missing = [] } = ark
  const stated = [...handlers, ...missing].map(({ kind }) => kind)
  t.strictSame(stated.sort(), kinds.map(({ kind }) => kind).sort())
  for (const { kind, reason, instead } of missing) t.ok(reason && instead, kind)
})

t.test('the emulator checks for a key first, and accepts any key', async (t) => {
  const account = await Account.open()
  t.teardown(() => account.close())
  for (const path of ['/agents', '/nowhere'])
    t.match(await account.raw('GET', path, undefined, ''), { status: 401, body: { error: { code: String } } })
  t.equal((await account.raw('GET', '/agents?limit=1', undefined, 'any')).status, 200)
  t.match(await account.raw('GET', '/nowhere'), { status: 404, body: { error: { code: String, message: String } } })
  const answer = await fetch(`${account.url}/ark/api/v3/agents`, { headers: { authorization: 'Bearer x' } })
  t.ok(answer.headers.get('x-request-id'))
})

t.test('objects of every kind can be seeded in the emulated account', async (t) => {
  const account = await Account.open()
  t.teardown(() => account.close())
  const seed = (kind: string, body?: JsonObject) =>
    account.control('POST', '/objects', { provider: 'ark', kind, id: `my-${kind}`, ...(body ? { body } : {}) })
  const kinds = ['environment', 'vault', 'skill', 'file', 'agent', 'memory_store']
  for (const kind of kinds) await seed(kind)
  await seed('session', { agent: 'my-agent', environment_id: 'my-environment' })
  const { objects } = await account.control('GET', '/objects')
  for (const kind of [...kinds, 'session'])
    t.match(
      (objects as unknown as JsonObject[]).find(({ id }) => id === `my-${kind}`),
      { kind, seeded: true },
    )
})

t.test('faults of the emulator are overcome, and a create is never repeated blindly', async (t) => {
  const account = await Account.open()
  t.teardown(() => account.close())
  await account.knobs({}, { faults: { rate: 0.4, seed: 7 } })
  for (let index = 0; index < 20; index++)
    await account.client.get('/agents', { answer: AnyObject }).catch(() => t.fail('a read gave up'))
  let failures = 0
  for (let index = 0; index < 20; index++)
    await account.client.create('/vaults', { display_name: 'x' }).catch(() => failures++)
  await account.knobs({}, { faults: 0 })
  const { objects } = (await account.control('GET', '/objects')) as unknown as { objects: unknown[] }
  t.ok(failures > 0, 'some creates failed with an unknown outcome')
  t.ok(objects.length <= 20, 'nothing was created twice')
})
