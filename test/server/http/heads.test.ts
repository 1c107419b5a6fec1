// Heads of requests and answers: one valid Host, other sites on the API only, and what browsers may do with an answer.
import { connect } from 'node:net'
import t from 'tap'
import { operations } from '../../../server/api/index.js'
import { runServer } from '../support/running-server.js'

const server = await runServer(t)

/** Sends a text as it is, and returns the head of the answer. */
function answerTo(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answered = ''
    socket
      .setEncoding('latin1')
      .on('data', (part) => {
        answered += part
      })
      .once('error', reject)
      .once('close', () => resolve(answered))
  })
}

const get = (...hosts: readonly string[]) =>
  answerTo(`GET /healthz HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}Connection: close\r\n\r\n`)

t.test('a request has one Host, which is a name or an address', async (t) => {
  for (const host of ['x', 'documents.example:443', '127.0.0.1:4780', '[::1]:4780', 'a_b.example', 'x:', ''])
    t.match(await get(`Host: ${host}`), /^HTTP\/1\.1 200 /, host)
  for (const hosts of [
    [],
    ['Host: a', 'Host: a'],
    ['Host: a', 'host: b'],
    ['Host: a b'],
    ['Host: a/b'],
    ['Host: a@b'],
    ['Host: http://a'],
    ['Host: a:b'],
    ['Host: a, b'],
    ['Host: [::1'],
    ['Host: ä'],
    ['Host: a?b'],
    ['Host: <a>'],
  ]) {
    const answer = await get(...hosts)
    t.match(answer, /^HTTP\/1\.1 400 /, hosts.join())
    t.match(answer, /InvalidArg/, hosts.join())
    t.match(answer, /connection: close/i)
  }
  t.match(await answerTo('GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  t.match(await answerTo('GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

const pages = [
  '/metrics',
  '/readyz',
  '/healthz',
  '/console',
  '/view/x',
  '/s/x',
  '/errors',
  '/docs/',
  '/openapi.json',
  '/',
  '/x',
]
const origin = 'https://somebody.example'

t.test('scripts of other sites read the API, and nothing else of the server', async (t) => {
  for (const path of [...pages, '/metrics?x=/v1/', '/%76%31/tenants']) {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const { headers } = await server.api.send(path, { method, headers: { origin } })
      const named = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
      t.strictSame(named, [], `${method} ${path}`)
    }
  }
  t.ok(operations.every(({ path }) => path.startsWith('/v1/')))
  for (const path of ['/v1/tenants', '/v1/nothing', '/v1/docs/%zz/head']) {
    const { headers } = await server.api.send(path, { headers: { origin } })
    t.equal(headers.get('access-control-allow-origin'), origin, path)
  }
})

t.test('a method that a page does not have is refused with those that it has', async (t) => {
  const answer = await server.api.send('/metrics', { method: 'DELETE' })
  t.equal(answer.status, 405)
  t.equal(answer.headers.get('allow'), 'GET, HEAD')
})

t.test('browsers take every answer for what it says, and the pages load nothing from elsewhere', async (t) => {
  for (const path of [...pages, '/v1/tenants', '/v1/nothing']) {
    const { headers } = await server.api.send(path, {})
    t.equal(headers.get('x-content-type-options'), 'nosniff', path)
    if (headers.get('content-type')?.startsWith('text/html')) {
      t.match(headers.get('content-security-policy'), /default-src '(none|self)'/, path)
    }
  }
  t.match(
    (await server.api.send('/errors', {})).headers.get('content-security-policy'),
    /^default-src 'none'.*frame-ancestors 'none'/,
  )
})
