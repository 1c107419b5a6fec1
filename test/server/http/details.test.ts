// General HTTP requirements: methods, challenges, encodings, request ids, and uniform errors readable across origins.
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { everyRequest, namesOf } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
const layer = `/v1/docs/${docId}/layers/default`
const outcome = ({ status, code }: Answer) => `${status} ${code}`
const json = { 'content-type': 'application/json' }

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Sends the request verbatim: `fetch` would normalise it. */
function raw(path: string, method: string, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<Raw> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    })
      .once('error', reject)
      .end(body)
  })
}

t.test('401 states how to authenticate, and whether the token is invalid', async (t) => {
  const without = await api.as(undefined).get('/v1/tenants')
  t.equal(without.headers.get('www-authenticate'), 'Bearer realm="steward"')
  const wrong = await api.as('nonsense').get(`${layer}/manifest`)
  t.equal(wrong.headers.get('www-authenticate'), 'Bearer realm="steward", error="invalid_token"')
})

t.test('an unsupported method is answered with 405 and the supported ones, with or without a token', async (t) => {
  const wrong = await api.as(undefined).send(`${layer}/manifest`, { method: 'PUT', json: {} })
  t.equal(outcome(wrong), '405 InvalidArg')
  t.equal(wrong.at('/name'), 'EngineError')
  t.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  const tenants = await api.delete('/v1/tenants')
  t.equal(outcome(tenants), '405 InvalidArg')
  t.equal(tenants.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  t.equal(outcome(await api.delete('/v1/nothing')), '404 NotFound')
  const names = { ...namesOf(docId), id: 'x' }
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, operation } of everyRequest(names)) {
    methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(operation.method))
  }
  for (const [path, methods] of methodsOf) {
    const other = ['DELETE', 'PUT', 'PATCH', 'POST'].find((method) => !methods.has(method)) ?? ''
    const answer = await api.send(path, { method: other })
    t.equal(answer.status, 405, `${other} ${path}`)
    for (const method of methods) t.match(answer.headers.get('allow'), method)
  }
})

t.test('OPTIONS is answered with and without an Origin', async (t) => {
  const plain = await raw(`${layer}/manifest`, 'OPTIONS')
  t.equal(plain.status, 204)
  const preflight = await raw(`${layer}/manifest`, 'OPTIONS', {
    origin: 'https://example.com',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization, range',
  })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers['access-control-allow-headers'], 'authorization, range')
})

t.test('scripts of other origins may read the headers of byte ranges', async (t) => {
  const headers = { origin: 'https://example.com', range: 'bytes=0-9' }
  const answer = await api.get(`${layer}/download`, headers)
  t.equal(answer.status, 206)
  const exposed = new Set(answer.headers.get('access-control-expose-headers')?.split(', '))
  for (const name of [
    'Accept-Ranges',
    'Content-Range',
    'Content-Length',
    'Content-Disposition',
    'ETag',
    'Retry-After',
  ]) {
    t.ok(exposed.has(name), name)
  }
})

t.test('malformed URLs and headers are refused with the documented error shape, readable across origins', async (t) => {
  const escaped = await raw('/v1/docs/%zz/head', 'GET', { origin: 'https://example.com' })
  t.equal(escaped.status, 400)
  t.equal(escaped.headers['access-control-allow-origin'], 'https://example.com')
  t.match(JSON.parse(escaped.text), { name: 'EngineError', code: 'InvalidArg', error: { code: 'InvalidArg' } })
  const { hostname, port } = new URL(server.url)
  for (const [sent, status] of [
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['nonsense\r\n\r\n', 400],
  ] as const) {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(sent))
      let answered = ''
      socket
        .setEncoding('latin1')
        .on('data', (part) => {
          answered += part
        })
        .once('error', reject)
        .once('close', () => resolve(answered))
    })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    t.match(head, `HTTP/1.1 ${status} `)
    t.match(head, 'Access-Control-Allow-Origin: *')
    t.match(JSON.parse(body), { code: 'InvalidArg', error: { code: 'InvalidArg', message: String } })
  }
})

t.test('an unsupported encoding or charset of a body is refused by name', async (t) => {
  const post = (headers: Readonly<Record<string, string>>, body = '{"id": "coded"}') =>
    api.send('/v1/tenants', { method: 'POST', headers: { ...json, ...headers }, body })
  const zipped = await post({ 'content-encoding': 'gzip' })
  t.equal(outcome(zipped), '415 InvalidArg')
  t.match(zipped.at('/error/message'), /"gzip"/)
  t.equal(zipped.headers.get('accept-encoding'), 'identity')
  const latin = await post({ 'content-type': 'application/json; charset=iso-8859-1' })
  t.equal(outcome(latin), '415 InvalidArg')
  t.match(latin.at('/error/message'), /"iso-8859-1"/)
  for (const type of ['application/json; charset=UTF-8', 'application/json;charset="utf-8"', 'application/json; v=1']) {
    t.equal((await post({ 'content-type': type })).status, 200, type)
  }
  t.equal((await post({ 'content-encoding': 'identity' })).status, 200)
  t.equal(
    outcome(
      await api
        .as(undefined)
        .send('/v1/tenants', { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' }),
    ),
    '401 Unauthenticated',
    'after the check of the credential',
  )
})

t.test('{} is accepted without a content type as with one', async (t) => {
  const authorization = `Bearer ${server.apiToken}`
  const { status, text } = await raw(`${layer}/form/reset`, 'POST', { authorization, 'content-length': '2' }, '{}')
  t.equal(status, 200, text)
  const empty = await raw(`${layer}/form/reset`, 'POST', { authorization, 'content-length': '0' })
  t.equal(empty.status, 200)
  const wrong = await raw(`${layer}/form/reset`, 'POST', { authorization, 'content-length': '4' }, 'null')
  t.equal(wrong.status, 400)
})

t.test('a valid X-Request-Id is used in the answer and the log; any other is replaced', async (t) => {
  const taken = await api.get('/v1/tenants', { 'x-request-id': 'proxy-7:4f.2' })
  t.equal(taken.headers.get('x-request-id'), 'proxy-7:4f.2')
  t.match(server.log(), '"reqId":"proxy-7:4f.2"')
  for (const unfit of ['x'.repeat(129), 'a b', '"quoted"', '<b>', ' ']) {
    const answer = await api.get('/v1/tenants', { 'x-request-id': unfit })
    t.match(answer.headers.get('x-request-id'), /^[0-9a-f]{8}-[0-9a-f-]{27}$/, unfit)
  }
})

t.test('the manifest has an ETag, which changes with the layer', async (t) => {
  const first = await api.get(`${layer}/manifest`).then(done)
  const etag = first.headers.get('etag') ?? ''
  t.match(etag, /^"[^"]+"$/)
  t.equal((await api.get(`${layer}/manifest`, { 'if-none-match': etag })).status, 304)
  const pages = [{ kind: 'objectNumber', objectNumber: 3 }]
  await api.post(`${layer}/pages/rotate`, { pages, rotation: 90 }).then(done)
  const second = await api.get(`${layer}/manifest`, { 'if-none-match': etag })
  t.equal(second.status, 200)
  t.not(second.headers.get('etag'), etag)
})

t.test('errors on documents have codes of the closed list that clients know, and the exact HTTP status', async (t) => {
  const behind = await api.get(`${layer}/download`, { range: 'bytes=99999999-' })
  t.equal(outcome(behind), '416 InvalidArg')
  t.match(behind.headers.get('content-range'), /^bytes \*\/\d+$/)
  const tenant = await api.get(`/v1/tenants/acme/documents/${docId}/download`, { range: 'bytes=99999999-' })
  t.equal(outcome(tenant), '416 RangeNotSatisfiable')
})

t.test('a request that is not HTTP is answered in the envelope, and HEAD without a body', async (t) => {
  const { hostname, port } = new URL(server.url)
  const refusal = /HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{.*"InvalidArg".*\}$/
  for (const [method, ending, more] of [
    ['GET', refusal, ''],
    ['GET', refusal, 'Expect: 100-continue\r\n'],
    ['HEAD', /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/, ''],
  ] as const) {
    const socket = connect(Number(port), hostname)
    socket.end(`${method} / HTTP/1.1\r\nHost: x\r\n${more}Transfer-Encoding: nonsense\r\n\r\n`)
    t.match((await buffer(socket)).toString(), ending)
  }
})
