// Addresses of calls, paging of lists, and interpretation of responses.
import t from 'tap'
import { Check } from 'typebox/value'
import { AnyObject } from '../../../core/plugin/answer.js'
import { capabilitiesOf } from '../../../core/plugin/capabilities.js'
import type { FailureClass } from '../../../core/plugin/failure.js'
import type { HttpRequest } from '../../../core/ports/http.js'
import { nodeHttp } from '../../../core/ports/node-http.js'
import type { Json } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { configuration, connect, identify, paging } from '../../../plugins/qoder/client.js'
import { classify } from '../../../plugins/qoder/failure.js'
import { memoryMount } from '../../../plugins/qoder/forward/memory-mount.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { openQoder } from './subject.js'

const clock = { now: () => 0, sleep: async () => {} }
const random = { uuid: () => '', fraction: () => 0 }

/** Returns these bodies in turn, then empty ones. */
function recorded(...answers: readonly Json[]) {
  const seen: HttpRequest[] = []
  const left = [...answers]
  const http = async (request: HttpRequest) => {
    seen.push(request)
    return { status: 200, headers: new Headers(), text: JSON.stringify(left.shift() ?? { id: 'x' }) }
  }
  return { seen, environment: { http, clock, random } }
}

t.test('5 both APIs are reached through the gateway, or through the emulator alone', async (t) => {
  const given = { api_key: 'pt-secret' }
  const configurations = [
    given,
    { ...given, gateway: 'https://api.qoder.com.cn/api/v1/cloud/' },
    { ...given, gateway: 'https://proxy.example/qoder' },
    { ...given, gateway: 'https://proxy.example/cloud', forward_gateway: 'https://other.example/forward/' },
  ]
  const { seen, environment } = recorded()
  for (const one of configurations) {
    const { managed, forward } = connect(one, environment)
    await managed.get('/agents')
    await forward.get('/templates')
  }
  const { managed, forward } = connect(configurations[3] ?? given, {
    ...environment,
    emulatorUrl: 'http://127.0.0.1:1',
  })
  await managed.get('/agents')
  await forward.get('/templates')
  t.strictSame(
    seen.map(({ url }) => url),
    [
      'https://api.qoder.com/api/v1/cloud/agents',
      'https://api.qoder.com/api/v1/forward/templates',
      'https://api.qoder.com.cn/api/v1/cloud/agents',
      'https://api.qoder.com.cn/api/v1/forward/templates',
      'https://proxy.example/qoder/agents',
      'https://proxy.example/qoder/forward/templates',
      'https://proxy.example/cloud/agents',
      'https://other.example/forward/templates',
      'http://127.0.0.1:1/qoder/api/v1/cloud/agents',
      'http://127.0.0.1:1/qoder/api/v1/forward/templates',
    ],
  )
  for (const { headers } of seen) t.match(headers, { authorization: 'Bearer pt-secret' })
  t.strictSame(identify(given), { host: 'https://api.qoder.com/api/v1/cloud' })
  t.match(identify(configurations[3] ?? given), { workspace: 'https://other.example/forward' })
})

t.test('5 the configuration is a token and two optional addresses, and nothing unknown', async (t) => {
  t.ok(Check(configuration, { api_key: 'x' }))
  t.ok(Check(configuration, { api_key: 'x', gateway: 'https://a', forward_gateway: 'https://b' }))
  t.notOk(Check(configuration, {}))
  t.notOk(Check(configuration, { api_key: 'x', workspace_id: 'y' }))
})

t.test(
  'a list continues with the token if there is one, else after the last id, and ends with an empty page',
  async (t) => {
    const { seen, environment } = recorded(
      { data: [{ id: 'a' }], next_page: 'p2', has_more: true, last_id: 'a' },
      { data: [{ id: 'b' }], next_page: null, has_more: true, last_id: 'b' },
      { data: [], has_more: true, last_id: 'b' },
    )
    const ids: Json[] = []
    for await (const { id } of connect({ api_key: 'x' }, environment).managed.list('/agents', {}, paging))
      ids.push(id ?? null)
    t.strictSame(ids, ['a', 'b'])
    t.strictSame(
      seen.map(({ url }) => url.split('?')[1]),
      ['limit=100', 'limit=100&page=p2', 'limit=100&after_id=b'],
    )
  },
)

t.test('every page of a long list is read in each dialect', async (t) => {
  const bench = await openQoder(t)
  for (let index = 0; index < 120; index++) await bench.seed('environment', { name: `environment ${index}` })
  for (const dialect of ['both', 'pages', 'sdk']) {
    await bench.turn({ dialect })
    t.equal(new Set(await bench.listed('environment')).size, 120, dialect)
  }
})

const meanings: readonly (readonly [string, string, number, object, FailureClass])[] = [
  ['an unknown field', 'POST', 400, { message: 'tunnel_id: unknown field' }, 'invalid'],
  ['a wrong token', 'GET', 401, { message: 'no' }, 'denied'],
  ['a missing permission', 'GET', 403, { message: 'no' }, 'denied'],
  ['an unknown id', 'GET', 404, { message: 'no' }, 'gone'],
  ['a taken name', 'POST', 409, { message: 'an agent named "x" already exists' }, 'nameTaken'],
  ['another version', 'PUT', 409, { message: 'version 1 is not the current version 2' }, 'stale'],
  ['an environment in use', 'DELETE', 409, { message: 'environment in use' }, 'inUse'],
  ['an environment in use, told with 400', 'DELETE', 400, { message: 'Environment is in use' }, 'inUse'],
  ['a store still mounted', 'DELETE', 409, { message: 'the store is still mounted' }, 'inUse'],
  ['a removal refused without a reason', 'DELETE', 409, { message: 'conflict' }, 'inUse'],
  ['an update refused without a reason', 'PUT', 409, { message: 'conflict' }, 'stale'],
  ['a new object refused without a reason', 'POST', 409, { message: 'conflict' }, 'nameTaken'],
  ['an archived object', 'POST', 409, { message: 'the template is archived' }, 'invalid'],
  ['credentials of another channel', 'POST', 409, { code: 'CHANNEL_CREDENTIAL_CONFLICT', message: 'no' }, 'nameTaken'],
  ['an idempotency key with another body', 'POST', 409, { code: 'idempotency_key_reused', message: 'no' }, 'invalid'],
  ['too many requests', 'GET', 429, { message: 'slow down' }, 'retry'],
  ['a server in trouble', 'GET', 503, { message: 'no' }, 'retry'],
]
for (const [title, method, status, error, expected] of meanings)
  t.test(`the response is interpreted: ${title}`, async (t) => {
    t.equal(classify({ method, path: '/x', status, body: { type: 'error', error } }).class, expected)
  })

t.test('a failure is reported with its code and the member concerned', async (t) => {
  const body = (error: object) => ({ type: 'error', error: { type: 'invalid_request_error', ...error } })
  const classified = (error: object) => classify({ method: 'POST', path: '/x', status: 400, body: body(error) })
  t.strictSame(classified({ message: 'too long', param: 'name' }), {
    class: 'invalid',
    code: 'invalid_request_error',
    message: 'too long (name)',
  })
  t.match(classified({ code: 'invalid_request_body', message: 'name: too long', param: 'name' }), {
    code: 'invalid_request_body',
    message: 'name: too long',
  })
  t.strictSame(classify({ method: 'GET', path: '/x', status: 502, body: '<html>' }), {
    class: 'retry',
    message: '<html>',
  })
})

t.test('the provider supports every kind', async (t) => {
  const rows = kinds.flatMap(({ kind }) => capabilitiesOf(qoder, kind))
  t.same(
    rows.filter(({ support }) => support !== 'native').map(({ kind, support }) => ({ kind, support })),
    [{ kind: 'tunnel', support: 'reference' }],
  )
})

t.test('faults of the emulator are overcome, and a create is never repeated blindly', async (t) => {
  const bench = await openQoder(t)
  const { managed } = connect({ api_key: 'x' }, { http: nodeHttp, clock, random, emulatorUrl: bench.emulator.url })
  await bench.turn({}, { faults: { rate: 0.4, seed: 7 } })
  for (let index = 0; index < 20; index++)
    await managed.get('/agents', { answer: AnyObject }).catch(() => t.fail('a read gave up'))
  let failures = 0
  for (let index = 0; index < 20; index++)
    await managed.create('/vaults', { display_name: 'x' }).catch(() => failures++)
  await bench.turn({}, { faults: 0 })
  t.ok(failures > 0, 'some creates failed with an unknown outcome')
  t.ok((await bench.listed('vault')).length <= 20, 'nothing was created twice')
})

t.test('an unmount whose answer says nothing is checked in the list of mounts, as no mount can be read', async (t) => {
  const id = 'idn_1/tmpl_1/memstore_1'
  const remove = async (mounts: Json) => {
    const { seen, environment } = recorded({}, { data: mounts })
    const client = connect({ api_key: 'pt-secret' }, environment)
    const { signal } = new AbortController()
    const call = { client, signal, report: () => {}, content: () => Promise.reject(new Error('no source')) }
    await memoryMount.remove(call, id)
    return seen.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^.*forward/, '')}`)
  }
  const list = '/identities/idn_1/templates/tmpl_1/memory_stores'
  t.strictSame(await remove([]), [`DELETE ${list}/memstore_1`, `GET ${list}`])
  const mounts = [{ memory_store_id: 'memstore_1' }]
  await t.rejects(remove(mounts), { class: 'retry', message: /still there/ })
})
