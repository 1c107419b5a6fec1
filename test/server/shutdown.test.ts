// Shutdown: new requests are refused, requests in flight are finished, and then everything is closed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import { program } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { childProgram } from '../support/child-process.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { builtThread } from '../support/worker-thread.js'
import { Client } from './support/client.js'
import { done, runServer } from './support/running-server.js'
import { announced, commit, documents, sha256Of } from './support/uploads.js'

const padded = Buffer.concat([onePage('0 0 100 100 re f'), Buffer.alloc(300_000, '%')])

t.test('an upload in flight when the server stops is finished and answered', async (t) => {
  const folder = scratchFolder(t, 'data')
  const server = await runServer(t, { folder })
  done(await server.api.post('/v1/tenants', { id: 'acme' }))
  const { url } = await announced(server.api, padded, { docId: 'late' })
  const { hostname, port } = new URL(server.url)
  const idle = connect(Number(port), hostname)
  await new Promise<void>((connected) => idle.once('connect', connected))
  const idleEnded = new Promise<void>((ended) => idle.resume().once('close', ended))
  const upload = await halfSent(server.api, url, padded)

  const closed = server.close()
  await idleEnded
  await t.rejects(fetch(`${server.url}/healthz`), 'nothing new is taken')
  upload.sendRest()
  t.equal(await upload.status, 200)
  const answeredAt = performance.now()
  await closed
  t.ok(performance.now() - answeredAt < 4_000, 'idle keep-alive connections are closed')

  const again = await runServer(t, { folder })
  const committed = await commit(again.api, 'late', sha256Of(padded))
  t.equal(committed.at('/document/state'), 'ready', 'its bytes were stored')
})

t.test('a request on an open connection while the server stops gets an error that clients can read', async (t) => {
  const server = await runServer(t)
  done(await server.api.post('/v1/tenants', { id: 'acme' }))
  const { url } = await announced(server.api, padded, { docId: 'late' })
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let seen = ''
  const ended = new Promise<void>((resolve) => {
    socket
      .setEncoding('utf8')
      .on('data', (text) => (seen += text))
      .once('close', () => resolve())
  })
  const { head, tail } = multipart(padded)
  const request = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.apiToken}\r\n`
  const length = head.length + padded.length + tail.length
  const type = 'Content-Type: multipart/form-data; boundary=part'
  socket.write(`${request('POST', url)}${type}\r\nContent-Length: ${length}\r\n\r\n`)
  socket.write(head)
  await new Promise<void>((sent) => socket.write(padded.subarray(0, 200_000), () => sent()))
  // When the server answers a later request, it has received this one.
  done(await server.api.get('/healthz'))

  const closed = server.close()
  await refusesConnections(server.url)
  socket.write(padded.subarray(200_000))
  socket.write(tail)
  socket.write(`${request('GET', '/v1/docs/late/head')}\r\n`)
  await Promise.all([ended, closed])
  const [, first = '', second = ''] = seen.split('HTTP/1.1 ')
  t.match(first, /^200 /)
  t.match(second, /^503 /)
  t.match(second, /retry-after: [1-9]/i)
  t.match(second, /connection: close/i)
  const body = JSON.parse(second.slice(second.indexOf('{'), second.lastIndexOf('}') + 1))
  t.match(body, { name: 'EngineError', code: 'RuntimeUnavailable', error: { code: 'RuntimeUnavailable' } })
})

t.test(
  'SIGTERM during uploads: clients that send the rest are answered, and aborted uploads leave no data',
  async (t) => {
    const folder = scratchFolder(t, 'data')
    const holding = childProgram(new URL('crash/server-child.ts', import.meta.url))
    const child = spawn(process.execPath, [...holding, folder, (await builtThread()).href], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { url, apiToken } = JSON.parse(line)
    const api = new Client(url, apiToken)
    done(await api.post('/v1/tenants', { id: 'acme' }))
    const stays = await halfSent(api, (await announced(api, padded, { docId: 'stays' })).url, padded)
    const goes = await halfSent(api, (await announced(api, padded, { docId: 'goes' })).url, padded)

    child.kill('SIGTERM')
    await refusesConnections(url)
    goes.drop()
    stays.sendRest()
    t.equal(await stays.status, 200)
    t.same(await exited, [0, null])
    await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
    t.same(readdirSync(join(folder, 'workshop')), [])

    const again = await runServer(t, { folder })
    t.equal((await commit(again.api, 'stays', sha256Of(padded))).at('/document/state'), 'ready')
    t.equal((await again.api.get(`${documents}/goes`)).at('/document/state'), 'pending')
    const early = await commit(again.api, 'goes', sha256Of(padded))
    t.ok(early.status >= 400 && early.status < 500, `${early.status} ${early.text}`)
    done(await again.api.sendFile(`${documents}/goes/upload-proxy`, padded))
    t.equal(
      (await commit(again.api, 'goes', sha256Of(padded))).at('/document/state'),
      'ready',
      'the upload can be repeated',
    )
  },
)

t.test('a draining server is not ready, serves requests, and ends after its time', async (t) => {
  const folder = scratchFolder(t, 'data')
  const serve = ['serve', '--json', '--port', '0', '--data', folder, '--threads', '1', '--drain-seconds', '5']
  const child = spawn(process.execPath, [program, ...serve], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, apiToken } = JSON.parse(line)
  const api = new Client(url, apiToken)
  t.equal((await api.get('/readyz')).status, 200)

  child.kill('SIGTERM')
  let ready = await api.get('/readyz')
  while (ready.status === 200) ready = await api.get('/readyz')
  t.equal(ready.status, 503)
  t.equal(ready.at('/status'), 'draining')
  t.equal((await api.get('/healthz')).status, 200)
  done(await api.post('/v1/tenants', { id: 'late' }))
  t.same(await exited, [0, null])
})

t.test('every process of a draining server is not ready, and uploads in flight are finished', async (t) => {
  const folder = scratchFolder(t, 'data')
  const flags = ['--threads', '2', '--processes', '2', '--drain-seconds', '6']
  const serve = ['serve', '--json', '--port', '0', '--data', folder, ...flags]
  const child = spawn(process.execPath, [program, ...serve], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, apiToken } = JSON.parse(line)
  const api = new Client(url, apiToken)
  done(await api.post('/v1/tenants', { id: 'acme' }))
  /** Connections of their own reach the processes in turn. */
  const everyStatus = () =>
    Promise.all(Array.from({ length: 6 }, () => statusOf(url, '/readyz'))).then((statuses) => new Set(statuses))
  t.same(await everyStatus(), new Set([200]))
  const ids = ['one', 'two', 'three']
  const uploads = await Promise.all(
    ids.map(async (docId) => halfSent(api, (await announced(api, padded, { docId })).url, padded)),
  )
  child.kill('SIGTERM')
  let statuses = await everyStatus()
  while (statuses.has(200)) statuses = await everyStatus()
  t.same(statuses, new Set([503]))
  t.equal(await statusOf(url, '/healthz'), 200, 'requests are served meanwhile')
  const [first, ...others] = uploads
  first?.sendRest()
  t.equal(await first?.status, 200, 'in the time of the balancer')
  await refusesConnections(url)
  for (const upload of others) upload.sendRest()
  t.same(await Promise.all(others.map(({ status }) => status)), [200, 200], 'after it')
  t.same(await exited, [0, null])
  const again = await runServer(t, { folder })
  for (const id of ids) t.equal((await commit(again.api, id, sha256Of(padded))).at('/document/state'), 'ready')
})

t.test('closing is idempotent, and the folder can be served again at once', async (t) => {
  const folder = scratchFolder(t, 'data')
  const server = await runServer(t, { folder })
  await Promise.all([server.close(), server.close()])
  const again = await runServer(t, { folder })
  t.equal((await again.api.get('/readyz')).status, 200)
})

t.test('starting prints log lines only, and no warnings', async (t) => {
  const warnings: string[] = []
  const warn = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  const server = await runServer(t)
  await server.api.get('/healthz').then(done)
  t.strictSame(
    warnings.filter((warning) => /FST|[Dd]eprecat/.test(warning)),
    [],
  )
})

interface HalfSent {
  /** Response of the server. */
  readonly status: Promise<number>
  sendRest(): void
  drop(): void
}

/** An upload that the server has begun to read. */
async function halfSent(api: Client, path: string, pdf: Buffer): Promise<HalfSent> {
  const { head, tail } = multipart(pdf)
  const { hostname, port } = new URL(api.url)
  const headers = {
    authorization: `Bearer ${api.token}`,
    'content-type': 'multipart/form-data; boundary=part',
    'content-length': head.length + pdf.length + tail.length,
  }
  const sending = request({ hostname, port, path, method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    sending.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)))
    sending.once('error', reject)
  })
  // A client that aborts the upload does not wait for a response.
  status.catch(() => {})
  const half = Math.floor(pdf.length / 2)
  sending.write(head)
  await new Promise<void>((sent) => sending.write(pdf.subarray(0, half), () => sent()))
  // When the server answers a later request, it has received this one.
  done(await api.get('/healthz'))
  return {
    status,
    sendRest: () => {
      sending.write(pdf.subarray(half))
      sending.end(tail)
    },
    drop: () => sending.destroy(),
  }
}

/** Sends a request on a connection of its own. */
const statusOf = (url: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${url}${path}`, { agent: false }, (answer) =>
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
    )
      .once('error', reject)
      .end()
  })

/** Resolves when nothing listens on the port any more. */
async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/healthz`)
    } catch {
      return
    }
  }
}

function multipart(pdf: Buffer) {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"'
  return {
    head: Buffer.from(`--part\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`),
    pdf,
    tail: Buffer.from('\r\n--part--\r\n'),
  }
}
