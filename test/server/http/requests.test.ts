// Rules for requests and responses of all operations: URLs, bodies, error shapes, caching, request ids, methods.
import { request } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
const layer = `/v1/docs/${docId}/layers/default`
const outcome = ({ status, code }: Answer) => `${status} ${code}`
const json = { 'content-type': 'application/json' }

/** Sends the URL verbatim: `fetch` would normalise it. */
function raw(path: string, method = 'GET'): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.apiToken}` }
    request({ hostname, port, path, method, headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
    })
      .once('error', reject)
      .end()
  })
}

t.test('page keys are accepted as obj:3, obj%3A3 and, from older clients, 3', async (t) => {
  const text = async (key: string) => raw(`${layer}/text/pages/${key}/data`)
  const plain = await text('obj:3')
  t.equal(plain.status, 200)
  for (const key of ['obj%3A3', 'obj%3a3', '3']) t.strictSame(await text(key), plain, key)
  for (const key of ['obj:0', 'obj:03', 'obj:-3', 'OBJ:3', 'obj:3x', 'obj%3A', '0']) {
    const answer = await text(key)
    t.equal(answer.status, 400, key)
    t.match(JSON.parse(answer.text), { name: 'EngineError', code: 'InvalidArg', error: { code: 'InvalidArg' } })
  }
})

t.test('a path parameter above its length limit is refused with the error shape of its route', async (t) => {
  const field = 'x'.repeat(2000)
  t.equal((await raw(`${layer}/annotations/pages/obj:3/items/${field}/resources/appearance`)).status, 400)
  const long = await raw(`/v1/docs/${'x'.repeat(limits.pathParameterCharactersMax + 1)}/head`)
  t.equal(long.status, 400)
  t.match(JSON.parse(long.text), { name: 'EngineError', code: 'InvalidArg' })
})

t.test('malformed paths and impossible ids are refused, never with status 500', async (t) => {
  for (const path of ['/v1/docs/%zz/head', '/v1/docs/%E0%A4%A/head', '/v1/docs/%ff/head']) {
    const answer = await raw(path)
    t.equal(answer.status, 400, path)
    t.match(JSON.parse(answer.text), { code: 'InvalidArg' })
  }
  const strange = ['%00', '%2e%2e', 'a%2Fb', '%F0%9F%98%80', '%ED%A0%80', '__proto__', 'constructor', '%0d%0a']
  for (const id of strange) {
    for (const path of [`/v1/docs/${id}/head`, `/v1/tenants/${id}`, `/v1/tenants/acme/documents/${id}`]) {
      const { status } = await raw(path)
      t.ok(status === 400 || status === 404, `${path} is ${status}`)
    }
  }
  t.notMatch(server.log(), 'a bug')
})

t.test('an unknown path is 404 with the error shape of its prefix', async (t) => {
  const tenant = await api.get('/v1/tenants/acme/nothing')
  t.equal(outcome(tenant), '404 NotFound')
  t.equal(tenant.at('/name'), undefined)
  const document = await api.get(`${layer}/nothing`)
  t.equal(outcome(document), '404 NotFound')
  t.equal(document.at('/name'), 'EngineError')
})

t.test('bodies that are not JSON, of another type, or too large are refused', async (t) => {
  const post = (headers: Readonly<Record<string, string>>, body: string) =>
    api.send('/v1/tenants', { method: 'POST', headers, body })
  t.equal(outcome(await post(json, '{"id": "broken')), '400 InvalidArg')
  t.equal(outcome(await post(json, '[]')), '400 InvalidArg')
  t.equal(outcome(await post(json, 'null')), '400 InvalidArg')
  t.equal(outcome(await post(json, '')), '400 InvalidArg', 'a missing required body')
  t.equal(outcome(await post({ 'content-type': 'text/plain' }, '{"id": "text"}')), '415 InvalidArg')
  t.equal(outcome(await post({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=b')), '415 InvalidArg')
  const unreadable = (await post(json, '{"id": "x",\n  "name" "geheim"}')).word('/error/message')
  t.match(unreadable, /^The body is not JSON: .+ in line 2, column 10$/)
  t.notMatch(unreadable, 'geheim')
  t.notMatch((await post(json, '{"name": geheim}')).text, 'geheim')
  t.equal(outcome(await post(json, '{"id": "x", "__proto__": {"name": "evil"}}')), '400 InvalidArg')
  t.equal(outcome(await post(json, `{"id": "${'x'.repeat(limits.jsonBodyBytesMax)}"}`)), '413 PayloadTooLarge')
  t.equal((await post({ 'content-type': 'application/json; charset=utf-8' }, '{"id": "charset"}')).status, 200)
  t.equal(outcome(await api.send(`${layer}/pages/rotate`, { method: 'POST', body: new FormData() })), '415 InvalidArg')
})

t.test('a client that sends too much can finish sending, and reads the refusal', async (t) => {
  const body = `{"changes": "${'x'.repeat(3 * limits.jsonBodyBytesMax)}"}`
  const answer = await api.send(`${layer}/changes`, { method: 'POST', headers: json, body })
  t.equal(outcome(answer), '413 PayloadTooLarge')
  // If the server closed the connection at once, a slow client would lose the response.
  t.not(answer.headers.get('connection'), 'close')
  const { jsonBodyBytesMax: max } = limits
  t.same(answer.at('/details'), { limit: 'jsonBodyBytesMax', max, value: body.length })
})

t.test('bodies without a credential have a small size limit', async (t) => {
  const answer = await api.as(undefined).post('/v1/share-sessions', { shareToken: 'x'.repeat(100_000) })
  t.equal(outcome(answer), '413 PayloadTooLarge')
  t.match(answer.at('/error'), { limit: 'jsonBodyBytesMax', max: limits.anonymousBodyBytesMax })
})

t.test('unknown members of queries are refused by name', async (t) => {
  const strict = await api.get(`${layer}/render/pages/obj:3/data?viewport.width=100&viewpotr.kind=width`)
  t.equal(outcome(strict), '400 InvalidArg')
  t.match(strict.at('/message'), /viewpotr\.kind/)
})

t.test('numbers in queries must be complete decimal numbers', async (t) => {
  const render = (query: string) => api.get(`${layer}/render/pages/obj:3/data?${query}`)
  for (const query of ['viewport.scale=0.5', 'viewport.scale=5e-1', 'rotation=90', 'quality=1']) {
    t.equal((await render(query)).status, 200, query)
  }
  const wrong = [
    'viewport.scale=',
    'viewport.scale=0x1',
    'viewport.scale=1e999',
    'viewport.scale=NaN',
    'viewport.scale=true',
  ]
  for (const query of [...wrong, 'rotation=45', 'rotation=9e1x', 'quality=2', 'contentVersion=1.5']) {
    t.equal(outcome(await render(query)), '400 InvalidArg', query)
  }
})

t.test('every response has a request id, which is also logged', async (t) => {
  const answers = [await api.get('/healthz'), await api.get('/v1/nothing'), await api.as(undefined).get('/v1/tenants')]
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  for (const id of ids) t.match(id, /^[0-9a-f-]{36}$/)
  t.equal(new Set(ids).size, 3)
  t.match(server.log(), `"reqId":"${ids[2]}"`)
})

const versioned = async () => {
  const manifest = await api.get(`${layer}/manifest`).then(done)
  return { pin: Number(manifest.at('/docVersion')), current: manifest }
}

t.test(
  'current reads are not cacheable; @ reads with pins of the manifest are immutable, and return the same',
  async (t) => {
    const { pin, current } = await versioned()
    t.equal(current.headers.get('cache-control'), 'no-store')
    const pairs = [
      ['manifest', `manifest@docVersion=${pin}`],
      ['layout', `layout@layoutVersion=${pin}`],
      ['text/pages/obj:3/data', `text/pages/obj:3/data@contentVersion=${pin}`],
      ['geometry/pages/obj:3/data', `geometry/pages/obj:3/data@contentVersion=${pin}`],
      ['form', `form@formsVersion=${pin}`],
      ['metadata', `metadata@metadataVersion=${pin}`],
      ['annotations/items', `annotations/items@annotationsVersion=${pin}`],
      ['annotations/pages/obj:3/items', `annotations/pages/obj:3/items@annotationVersion=${pin}`],
      [
        'render/pages/obj:3/data?format=png&viewport.kind=width&viewport.width=50',
        `render/pages/obj:3/data@contentVersion=${pin},format=png,viewport.kind=width,viewport.width=50`,
      ],
    ] as const
    for (const [now, pinned] of pairs) {
      const expected = await api.get(`${layer}/${now}`).then(done)
      for (const path of [`${layer}/${pinned}`, `/v1/docs/${docId}/${pinned}`, `${layer}/${encoded(pinned)}`]) {
        const answer = await api.get(path)
        t.equal(answer.status, 200, path)
        t.ok(answer.bytes.equals(expected.bytes))
        t.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable')
        t.match(answer.headers.get('vary'), /Authorization/, 'for this token only')
      }
    }
  },
)

t.test('a stale pin is 404 and not cacheable; a malformed versioned path is 400', async (t) => {
  const { pin } = await versioned()
  for (const stale of [pin - 1, pin + 1]) {
    const answer = await api.get(`${layer}/manifest@docVersion=${stale}`)
    t.equal(outcome(answer), '404 NotFound')
    t.equal(answer.headers.get('cache-control'), 'no-store')
  }
  const render = `${layer}/render/pages/obj:3/data@`
  for (const token of [
    '',
    'x',
    `layoutVersion=${pin}`,
    'docVersion=',
    'docVersion=0',
    'docVersion=1e3',
    'docVersion=-1',
  ]) {
    const answer = await api.get(`${layer}/manifest@${token}`)
    t.ok(['400 InvalidArg', '404 NotFound'].includes(outcome(answer)), `${token}: ${outcome(answer)}`)
  }
  const unsorted = await api.get(`${render}format=png,contentVersion=${pin}`)
  t.equal(outcome(unsorted), '400 InvalidArg', 'a picture has exactly one URL')
  t.equal(outcome(await api.get(`${render}contentVersion=${pin},contentVersion=${pin}`)), '400 InvalidArg')
  t.equal(outcome(await api.get(`${render}contentVersion=${pin},format=png,zoom=2`)), '400 InvalidArg')
})

t.test('If-None-Match answers 304 for strong and weak tags, lists, and *', async (t) => {
  const paths = [`${layer}/layout`, `${layer}/render/pages/obj:3/data`, `/v1/tenants/acme/documents/${docId}/download`]
  for (const path of paths) {
    const etag = (await api.get(path).then(done)).headers.get('etag') ?? ''
    t.match(etag, /^"[^"]+"$/)
    for (const current of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await api.get(path, { 'if-none-match': current })
      t.equal(answer.status, 304, `${path} ${current}`)
      t.equal(answer.bytes.length, 0)
      t.equal(answer.headers.get('etag'), etag)
    }
    t.equal((await api.get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

t.test('HEAD answers as GET does, without a body', async (t) => {
  for (const path of [`/v1/docs/${docId}/head`, `${layer}/render/pages/obj:3/data`, `${layer}/download`]) {
    const [head, get] = [await api.send(path, { method: 'HEAD' }), await api.get(path)]
    t.equal(head.status, 200, path)
    t.equal(head.bytes.length, 0)
    for (const name of ['content-type', 'etag', 'cache-control']) t.equal(head.headers.get(name), get.headers.get(name))
    t.equal(head.headers.get('content-length'), String(get.bytes.length))
  }
  t.equal((await api.as(undefined).send(`/v1/docs/${docId}/head`, { method: 'HEAD' })).status, 401)
})

t.test('input that is not HTTP is refused, and the server continues', async (t) => {
  const { hostname, port } = new URL(server.url)
  for (const nonsense of [
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nx: y\r\n z\r\n\r\n',
    `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(nonsense))
      socket
        .setEncoding('latin1')
        .once('data', resolve)
        .once('error', reject)
        .once('end', () => resolve(''))
    })
    t.match(answered, /^HTTP\/1\.1 4\d\d/)
  }
  t.equal((await api.get('/healthz')).status, 200)
  t.notMatch(server.log(), 'a bug')
})

t.test('a request without Host, or with Expect, is refused with an error body, in order, and counted', async (t) => {
  const limited = await runServer(t, {
    rateBounds: { anonymousRequests: 5, shareExchanges: 1, shareGuesses: 1, documentGuesses: 1 },
  })
  const { hostname, port } = new URL(limited.url)
  const exchanged = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let seen = ''
      const socket = connect(Number(port), hostname, () => socket.write(text))
      socket.setEncoding('latin1').once('error', reject)
      socket.on('data', (more) => {
        seen += more
      })
      socket.once('close', () => resolve(seen))
    })
  const of = (path: string, more: string) => `GET ${path} HTTP/1.1\r\n${more}\r\n`
  const refused = await exchanged(of('/healthz', 'Host: x\r\n') + of('/errors', 'Host: x\r\nExpect: more\r\n'))
  t.match(refused, /^HTTP\/1\.1 200 .*HTTP\/1\.1 417 .*x-request-id: .*connection: close.*"InvalidArg".*Expect/is)
  t.match(
    await exchanged(of('/errors', '')),
    /^HTTP\/1\.1 400 .*x-request-id: .*connection: close.*"InvalidArg".*Host/is,
  )
  t.match(
    await exchanged(of('/healthz', 'Host: x\r\nExpect: 100-Continue\r\nConnection: close\r\n')),
    /^HTTP\/1\.1 100 .*HTTP\/1\.1 200 /s,
  )
  t.match(await exchanged('GET /healthz HTTP/1.0\r\nExpect: more\r\n\r\n'), /^HTTP\/1\.1 200 /)
  t.equal(await exchanged('CONNECT localhost:80 HTTP/1.1\r\nHost: x\r\n\r\n'), '')
  for (let count = 0; count < 3; count += 1) await exchanged(of('/errors', 'Host: x\r\nExpect: more\r\n'))
  t.match(await exchanged(of('/errors', 'Host: x\r\nExpect: more\r\nConnection: close\r\n')), /^HTTP\/1\.1 429 /)
})

/** URL with every character escaped that may be escaped. */
const encoded = (path: string): string =>
  path.replace(/(obj:3|@.*)/g, (part) => (part.startsWith('@') ? `@${encodeURIComponent(part.slice(1))}` : 'obj%3A3'))
