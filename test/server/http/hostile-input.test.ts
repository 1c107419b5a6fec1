// Hostile text wherever text is accepted (path, query, headers, parts, bodies, tokens) is answered with an error that
// explains it, never with 500.
import { Agent, request } from 'node:http'
import t, { type Test } from 'tap'
import type { Operation } from '../../../server/operation/operation.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, seed } from '../../support/sample.js'
import { textPlacesIn } from '../../support/text-places.js'
import { everyRequest, namesOf, type SentRequest } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'
import { signed, signingSecret } from '../support/tokens.js'

const server = await runServer(t, { env: { STEWARD_SIGNING_SECRET: signingSecret } })
const { api } = server
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
const names = namesOf(docId)
/** Ids for destructive operations: they name a document and tenant that do not exist. */
const nobody = { ...names, tenantId: 'nobody', id: 'nobody' }
const isOfNobody = ({ name, method, plane }: Operation) =>
  plane === 'tenant' && (method === 'DELETE' || name === 'tenants.suspend')
const asked: readonly SentRequest[] = [
  ...everyRequest(names).filter(({ operation }) => !isOfNobody(operation)),
  ...everyRequest(nobody).filter(({ operation }) => isOfNobody(operation)),
].filter(({ operation }) => operation.name !== 'deployment.backup')
const loneSurrogate = '\ud800'
const texts = [`${loneSurrogate}x`, '\\..\\x', '__proto__', 'x'.repeat(5000)]
/** Returns a random sample of about this size; all requests in a long run. */
function some<Item>(items: readonly Item[], size: number): readonly Item[] {
  const step = isLong ? 1 : Math.max(1, Math.floor(items.length / size))
  return items.filter((_, place) => (place + seed) % step === 0)
}

const json = { 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: false })
/** Hostile texts as they are in a URL. */
const inAddress = [
  '%00',
  'a%00b',
  '%5c',
  '..%5cx',
  '..%2f..%2fx',
  '%2e%2e',
  '%ED%A0%80',
  '%',
  '%zz',
  'x'.repeat(4097),
  '%EF%BF%BF',
  '\\..\\x',
  ';',
  '%0d%0aX:y',
]

/** Sends the URL verbatim: `fetch` would normalise it. */
function raw(
  path: string,
  { method, headers = {}, body }: Sent,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const authorized = { authorization: `Bearer ${server.apiToken}`, ...headers }
    const sent = request({ agent, hostname, port, path, method, headers: authorized }, (answer) => {
      let text = ''
      // The response of an event stream does not end.
      const end = () => resolve({ status: answer.statusCode ?? 0, text })
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        end()
        answer.destroy()
      } else
        answer
          .setEncoding('utf8')
          .on('data', (chunk) => (text += chunk))
          .once('end', end)
          .once('error', end)
    })
    sent.once('error', (error) => resolve({ status: 500, text: error.message })).end(body)
  })
}

const isBug = ({ status, text }: { readonly status: number; readonly text: string }) =>
  status === 500 || text.includes('"code":"Unknown"')

interface Sent {
  readonly method: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a sample of the requests, and fails for each that is answered with a server error. */
async function tryAll(
  t: Test,
  requests: readonly (readonly [path: string, sent: Sent])[],
  size: number,
): Promise<void> {
  const chosen = some(requests, size)
  const bugs: string[] = []
  for (const [path, sent] of chosen) {
    const answer = await raw(path, sent)
    if (isBug(answer))
      bugs.push(
        `${sent.method} ${path.slice(0, 200)} ${JSON.stringify(sent).slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 200)}`,
      )
  }
  t.same(bugs, [])
  t.ok(chosen.length >= Math.min(size, requests.length), `${chosen.length} of ${requests.length}`)
}

t.test('in every parameter of every path, and in the query', async (t) => {
  const requests = asked.flatMap(({ operation: { path: pattern, input, method }, path }) => {
    const patterns = pattern.split('/')
    const pieces = path.split('/')
    const isNamed = (piece: string, at: number) => patterns[at]?.startsWith(':') || piece.includes('@')
    const placed = pieces.flatMap((piece, at) => (isNamed(piece, at) ? [at] : []))
    const members = Object.keys(Object(Object(input.query).properties))
    const addresses = inAddress.flatMap((hostile) => [
      ...placed.map((at) => pieces.with(at, hostile).join('/')),
      ...members.map((name) => `${path}?${name}=${hostile}`),
      `${path}?${hostile}=1`,
    ])
    return addresses.map((address) => [address, { method }] as const)
  })
  await tryAll(t, requests, 500)
})

t.test('in URLs of operations without credential', async (t) => {
  const hostile = [...inAddress, '..%5c..%5cpackage.json', '%5c%5chost%5cx', 'a%5cb', '%2e%2e%2fx', '.', '%00.js']
  const folders = ['/docs', '/errors', '/openapi.json', '/healthz', '/readyz', '/metrics', '']
  const anonymous = { method: 'GET', headers: { authorization: '' } }
  const at = (folder: string) =>
    hostile
      .flatMap((text) => [`${folder}/${text}`, `${folder}/${text}/x`, `${folder}?${text}`])
      .map((path) => [path, anonymous] as const)
  await tryAll(t, at('/docs/static'), 1000)
  await tryAll(t, folders.flatMap(at), 100)
})

t.test('in every text of every body', async (t) => {
  const requests = asked
    .filter(({ path }) => !path.includes('@'))
    .flatMap(({ operation: { method, input }, path }) =>
      textPlacesIn(input.body).flatMap(({ withText }) =>
        texts.map((text) => [path, { method, headers: json, body: JSON.stringify(withText(text)) }] as const),
      ),
    )
  await tryAll(t, requests, 500)
})

t.test('in every header that the server reads', async (t) => {
  const hostile = ['\\', '%00', '"', ',,,', ';=;', 'é', 'x'.repeat(5000), '-1', '0-', '*', 'bytes=9-1', 'null', '[]']
  const read = [
    ...['x-document-password', 'idempotency-key', 'x-engine-session-id', 'last-event-id', 'if-none-match', 'if-range'],
    ...['range', 'accept-encoding', 'origin', 'x-request-id', 'content-type', 'content-encoding', 'authorization'],
    ...['accept', 'cookie', 'x-forwarded-for', 'access-control-request-headers', 'access-control-request-method'],
  ]
  const requests = asked.flatMap(({ operation: { method }, path }) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
    const headers = read.flatMap((name) => hostile.map((value) => ({ ...json, [name]: value })))
    return headers.map((headers) => [path, { method, headers, ...body }] as const)
  })
  await tryAll(t, requests, 500)
})

t.test('in every part of a multipart body', async (t) => {
  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const disposition = (rest: string) => `Content-Disposition: form-data${rest}\r\n`
  const ofJson = 'Content-Type: application/json\r\n'
  const parts = {
    'without a name': `${disposition('')}\r\n{}`,
    'a file without a name': `${disposition('; filename="a.pdf"')}\r\n%PDF`,
    'without headers': '\r\n{}',
    'with an empty name': `${disposition('; name=""')}\r\n{}`,
    'named like a property of Object.prototype': `${disposition('; name="toString"')}\r\n{}`,
    'deeply nested JSON': `${disposition('; name="body"')}${ofJson}\r\n${nested}`,
    'deeply nested JSON without content type': `${disposition('; name="body"')}\r\n${nested}`,
    'deeply nested JSON as a file': `${disposition('; name="body"; filename="b.json"')}${ofJson}\r\n${nested}`,
    'a lone surrogate': `${disposition('; name="body"')}${ofJson}\r\n"\\ud800"`,
    'no JSON': `${disposition('; name="body"')}${ofJson}\r\n{`,
    'a member __proto__': `${disposition('; name="body"')}${ofJson}\r\n{"__proto__":{}}`,
    'a path as file name': `${disposition('; name="resource:a"; filename="..\\\\..\\\\x\u0001"')}\r\n%PDF`,
    'an empty key': `${disposition('; name="resource:"; filename="a"')}\r\n%PDF`,
  }
  const taking = asked.filter(({ operation: { resources, files } }) => resources ?? files)
  t.ok(taking.length > 3)
  for (const { operation, path, title } of taking) {
    for (const [what, part] of Object.entries(parts)) {
      const body = `--x\r\n${part}\r\n--x--\r\n`
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      const { status, text } = await raw(path, { method: operation.method, headers, body })
      if (what.includes('nested deep')) t.notMatch(text, '__proto__', `${title} ${what}`)
      // An upload that was not announced is always 409.
      if (status !== 400 && status !== 409) t.fail(`${title} ${what}: ${status} ${text.slice(0, 200)}`)
    }
  }
})

t.test('in the name of a tenant, and of a layer in an address', async (t) => {
  for (const name of [`a${loneSurrogate}`, 'a\0b']) {
    t.equal((await api.post('/v1/tenants', { id: 'misnamed', name })).code, 'InvalidArg')
  }
  for (const name of ['%00', 'a%00b']) {
    const answer = await api.get(`/v1/docs/${docId}/layers/${name}/manifest`)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', name)
  }
})

t.test('in the names of a token, which is refused where it is issued and where it is received', async (t) => {
  const members = ['sub', 'userId', 'displayName', 'groupId', 'layerName']
  const request = { kind: 'doc', sub: 'ada', docId, scope: ['*'], expiresIn: 600 }
  for (const wrong of [`a${loneSurrogate}`, `\udfff`, 'a\0b']) {
    for (const member of members) {
      const answer = await api.post('/v1/tenants/acme/tokens', { ...request, [member]: wrong })
      t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', member)
      t.match(answer.text, member)
    }
    t.equal(
      (await api.post('/v1/tenants/acme/tokens', { ...request, kind: 'tenant', sub: wrong, scope: ['*'] })).status,
      400,
    )
    for (const claim of ['sub', 'jti', 'user_id', 'display_name', 'group_id', 'layer_name']) {
      const token = await signed({ tenant_id: 'acme', doc_id: docId, scope: ['*'], [claim]: wrong })
      t.equal((await api.as(token).get(`/v1/docs/${docId}/head`)).status, 401, claim)
    }
  }
  const emoji = (await api.post('/v1/tenants/acme/tokens', { ...request, sub: '😀' }).then(done)).word('/token')
  t.equal((await api.as(emoji).get(`/v1/docs/${docId}/head`)).status, 200)
})
