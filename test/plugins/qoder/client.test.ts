// Addresses of both APIs of Qoder, paging of lists, and error bodies.
import t from 'tap'
import { capabilitiesOf } from '../../../core/plugin/capabilities.js'
import type { HttpRequest } from '../../../core/ports/http.js'
import type { Json } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { connect, identify, paging } from '../../../plugins/qoder/client.js'
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

t.test('a failure is reported with its code and the member concerned', async (t) => {
  const body = (error: object) => ({ type: 'error', error: { type: 'invalid_request_error', ...error } })
  const classified = (error: object) =>
    classify({ method: 'POST', path: '/x', status: 400, headers: new Headers(), body: body(error) })
  t.strictSame(classified({ message: 'too long', param: 'name' }), {
    class: 'invalid',
    code: 'invalid_request_error',
    message: 'too long (name)',
  })
  t.match(classified({ code: 'invalid_request_body', message: 'name: too long', param: 'name' }), {
    code: 'invalid_request_body',
    message: 'name: too long',
  })
  t.strictSame(classify({ method: 'GET', path: '/x', status: 502, headers: new Headers(), body: '<html>' }), {
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
