// Requests through proxies, and failures of the network, which are named for what they are and not repeated in vain.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { explainFailure } from '../../../core/plan/explain.js'
import { ApiClient } from '../../../core/plugin/client.js'
import { classifyByStatus } from '../../../core/plugin/failure.js'
import { networkFailure } from '../../../core/ports/network-failure.js'
import { nodeNetwork } from '../../../core/ports/node-http.js'
import type { Environment } from '../../../core/ports/proxies.js'
import { certificateFor } from '../../support/certificate.js'
import { httpProxy, socksProxy } from '../../support/proxy-servers.js'

const answerWithPath: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: request.url, host: request.headers.host }))
}

async function listening(t: Test, server: Server & { closeAllConnections?(): void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port // Address of a server that listens on a port.
}

/** Reads `/a` of an API, twice if it succeeds, and returns what a person is told with the number of attempts. */
function reader(baseUrl: string, environment: Environment = {}) {
  let attempts = 0
  const { http } = nodeNetwork(environment)
  const client = new ApiClient({
    baseUrl,
    headers: () => ({}),
    classify: ({ status }) => ({ class: classifyByStatus(status) }),
    environment: {
      http: (request) => {
        attempts += 1
        return http(request)
      },
      clock: { now: () => 0, sleep: async () => {} },
      random: { uuid: () => 'a nonce', fraction: () => 0 },
    },
  })
  const failure = async () => {
    const error: unknown = await client.get('/a').then(
      () => undefined,
      (error: unknown) => error,
    )
    const [problem] = error === undefined ? [] : explainFailure(error, 'acme', (text) => text)
    return { code: problem?.code, detail: problem?.detail, attempts }
  }
  return { read: () => client.get('/a'), failure }
}

t.test('plain addresses go through the proxy whole, with its login, and secure ones through a tunnel', async (t) => {
  const plain = await listening(t, createServer(answerWithPath))
  const certificate = certificateFor('api.example')
  const secure = await listening(t, createTlsServer(certificate, answerWithPath))
  const previous = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0' // Certificates that are trusted are set before Node starts.
  t.teardown(() => {
    if (previous === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = previous
  })
  const login = `Basic ${Buffer.from('user:pa ss').toString('base64')}`

  const first = await httpProxy(t, plain)
  const http = reader('http://api.example/v1', { HTTP_PROXY: `http://user:pa%20ss@${first.address}` })
  t.match(await http.read(), { id: '/v1/a', host: 'api.example' })
  t.match(await http.read(), { id: '/v1/a' })
  t.same(first.asked, ['GET http://api.example/v1/a', 'GET http://api.example/v1/a'])
  t.same(first.logins, [login, login])

  const second = await httpProxy(t, secure)
  const https = reader('https://api.example/v1', { https_proxy: `http://user:pa%20ss@${second.address}` })
  t.match(await https.read(), { id: '/v1/a', host: 'api.example' })
  t.match(await https.read(), { id: '/v1/a' })
  t.same(second.asked, ['CONNECT api.example:443'], 'the tunnel serves both')
  t.same(second.logins, [login])

  const third = await socksProxy(t, secure)
  const socks = reader('https://api.example/v1', { ALL_PROXY: `socks5h://${third.address}` })
  t.match(await socks.read(), { id: '/v1/a' })
  t.match(await socks.read(), { id: '/v1/a' })
  t.same(third.asked, ['SOCKS api.example:443'])
})

t.test('the emulator of this machine is reached without the proxy', async (t) => {
  const port = await listening(t, createServer(answerWithPath))
  const proxy = await httpProxy(t, port, 407)
  t.match(await reader(`http://127.0.0.1:${port}`, { HTTP_PROXY: `http://${proxy.address}` }).read(), { id: '/a' })
  t.same(proxy.asked, [])
})

t.test('what a proxy refuses is told as such, with its name and without its password', async (t) => {
  for (const [baseUrl, status, attempts] of [
    ['https://api.example', 407, 1],
    ['http://api.example', 407, 1],
    ['https://api.example', 403, 1],
    ['https://api.example', 503, 8],
  ] as const) {
    const { address } = await httpProxy(t, 1, status)
    const environment = { ALL_PROXY: `http://user:secret@${address}` }
    const told = await reader(baseUrl, environment).failure()
    t.match(told, { code: 'provider.proxy', attempts }, `${baseUrl} ${status}`)
    t.match(told.detail, baseUrl.startsWith('https') ? `the proxy ${address}` : 'api.example answered 407')
    t.notMatch(told.detail, 'secret')
  }
  const away = await listening(
    t,
    createTcpServer((socket) => void socket.destroy()),
  )
  for (const scheme of ['http', 'socks5h'])
    t.match(await reader('https://api.example', { ALL_PROXY: `${scheme}://127.0.0.1:${away}` }).failure(), {
      code: 'provider.proxy',
      detail: new RegExp(`the proxy 127\\.0\\.0\\.1:${away} makes no connection`),
      attempts: 8,
    })
})

t.test('a handshake that is broken off is tried again, and told as a failure of TLS', async (t) => {
  const hasty = await listening(
    t,
    createTcpServer((socket) => void socket.destroy()),
  )
  t.match(await reader(`https://127.0.0.1:${hasty}`).failure(), {
    code: 'provider.certificate',
    detail: /: 127\.0\.0\.1 ended the TLS handshake$/,
    attempts: 8,
  })
})

t.test('a certificate that is not trusted, a port without TLS and an unknown host are told at once', async (t) => {
  const secure = await listening(t, createTlsServer(certificateFor('127.0.0.1'), answerWithPath))
  const told = await reader(`https://127.0.0.1:${secure}`).failure()
  t.match(told, { code: 'provider.certificate', attempts: 1 })
  t.equal(told.detail, 'GET /a: no answer: the certificate of 127.0.0.1 is not trusted: self-signed certificate')
  const plain = await listening(t, createServer(answerWithPath))
  t.match(await reader(`https://127.0.0.1:${plain}`).failure(), {
    code: 'provider.certificate',
    detail: 'GET /a: no answer: 127.0.0.1 makes no TLS connection: wrong version number',
    attempts: 1,
  })
  // The tunnel is there, and the certificate at its end is another one.
  const proxy = await httpProxy(t, secure)
  t.match(await reader('https://api.example', { HTTPS_PROXY: proxy.address }).failure(), {
    code: 'provider.certificate',
    detail: 'the certificate of api.example is not trusted',
    attempts: 1,
  })
  const away = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'a' })
  const facts = { host: 'a', proxy: undefined, isThrough: true, wasConnected: false }
  t.match(networkFailure(away, { ...facts, wasReached: false }), { isPermanent: true, obstacle: 'hostUnknown' })
  t.match(networkFailure(away, { ...facts, wasReached: true }), { isPermanent: false }, 'it was there before')
  // No name server answers for a name that cannot be one.
  const unknown = await reader('https://-.invalid').failure()
  t.match(unknown, { code: 'provider.host-unknown', detail: 'there is no host -.invalid' })
})

t.test('redirects, pages of others and limits in between are told as what they are, without repeats', async (t) => {
  const page = { 'content-type': 'text/html' }
  const json = { 'content-type': 'application/json' }
  const cases: readonly (readonly [number, Readonly<Record<string, string>>, string, string, RegExp])[] = [
    [302, { location: 'https://sso.example/login' }, '', 'provider.unexpected-answer', /a redirect to sso\.example/],
    [307, { location: '/elsewhere' }, '', 'provider.unexpected-answer', /a redirect to 127\.0\.0\.1/],
    [403, page, '<html>Blocked by policy', 'provider.unexpected-answer', /Blocked by policy/],
    [401, page, '<html>Please log in', 'provider.unexpected-answer', /Please log in/],
    [511, page, '<html>Wifi', 'provider.unexpected-answer', /Wifi/],
    [407, page, '<html>Proxy', 'provider.proxy', /407/],
    [413, page, '<html>413 Request Entity Too Large', 'provider.too-large', /413/],
    [413, json, '{"error":{"message":"too large"}}', 'provider.too-large', /413/],
    [431, {}, '', 'provider.too-large', /431/],
    [451, json, '{"error":{"message":"not here"}}', 'provider.blocked', /451/],
    [403, json, '{"error":{"message":"no"}}', 'provider.denied', /403/],
  ]
  for (const [status, headers, body, code, detail] of cases) {
    const port = await listening(
      t,
      createServer((_, response) => response.writeHead(status, headers).end(body)),
    )
    t.match(await reader(`http://127.0.0.1:${port}`).failure(), { code, detail, attempts: 1 }, `${status} ${body}`)
  }
})

t.test('an upload reports its bytes, and a refusal in its middle is its answer', async (t) => {
  const sizeBytes = 8 * 1024 * 1024
  const upload = async (listener: RequestListener) => {
    const port = await listening(t, createServer(listener))
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(sizeBytes)]), 'data.bin')
    const { http } = nodeNetwork({})
    const seen: number[] = []
    const request = { method: 'POST', url: `http://127.0.0.1:${port}`, headers: {}, body }
    const { status } = await http({ ...request, onProgress: ({ sentBytes }) => seen.push(sentBytes) })
    return { status, seen }
  }
  let received = 0
  const whole = await upload((request, response) => {
    request.on('data', (chunk: Uint8Array) => {
      received += chunk.length
    })
    request.once('end', () => response.end('{}'))
  })
  t.equal(whole.status, 200)
  t.ok(received > sizeBytes, 'with the rest of the form')
  t.ok(whole.seen.length > 100)
  t.same(
    whole.seen,
    [...whole.seen].sort((one, other) => one - other),
  )
  t.ok(whole.seen.includes(received))
  const refused = await upload((request, response) => {
    request.once('data', () => {
      request.pause()
      response.writeHead(413).end('too large')
    })
  })
  t.equal(refused.status, 413)
  t.ok((refused.seen.at(-1) ?? 0) < sizeBytes)
})
