// Stopping: nothing new is taken, what is under way is finished, and then everything is closed.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { scratchFolder } from '../cli/scratch.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { done, runServer } from './support/running-server.js'

t.test('an upload that is under way when the server stops is finished and answered', async (t) => {
  const folder = scratchFolder(t, 'data')
  const server = await runServer(t, { folder })
  const pdf = Buffer.concat([onePage('0 0 100 100 re f'), Buffer.alloc(300_000, '%')])
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  await server.api.post('/v1/tenants', { id: 'acme' }).then(done)
  const wish = { docId: 'late', contentLength: pdf.length, contentSha256: sha256 }
  const upload = (await server.api.post('/v1/tenants/acme/documents/init', wish).then(done)).word('/upload/url')

  const { head, tail } = multipart(pdf)
  const { hostname, port } = new URL(server.url)
  const idle = connect(Number(port), hostname)
  await new Promise<void>((connected) => idle.once('connect', connected))
  const idleEnded = new Promise<void>((ended) => idle.resume().once('close', ended))
  const headers = {
    authorization: `Bearer ${server.apiToken}`,
    'content-type': 'multipart/form-data; boundary=part',
    'content-length': head.length + pdf.length + tail.length,
  }
  const sending = request({ hostname, port, path: upload, method: 'POST', headers })
  const answered = new Promise<number>((resolve, reject) => {
    sending.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)))
    sending.once('error', reject)
  })
  sending.write(head)
  await new Promise<void>((sent) => sending.write(pdf.subarray(0, 200_000), () => sent()))
  // The server has the request when it answers another one behind it.
  await server.api.get('/healthz').then(done)

  const closed = server.close()
  await idleEnded
  await t.rejects(fetch(`${server.url}/healthz`), 'nothing new is taken')
  sending.write(pdf.subarray(200_000))
  sending.end(tail)
  t.equal(await answered, 200)
  const answeredAt = performance.now()
  await closed
  t.ok(performance.now() - answeredAt < 4_000, 'a connection that is kept alive is not waited for')

  const again = await runServer(t, { folder })
  const committed = await again.api.post('/v1/tenants/acme/documents/late/commit', { sha256 })
  t.equal(committed.at('/document/state'), 'ready', 'its bytes were kept')
})

t.test('closing twice is closing once, and the folder can be served again at once', async (t) => {
  const folder = scratchFolder(t, 'data')
  const server = await runServer(t, { folder })
  await Promise.all([server.close(), server.close()])
  const again = await runServer(t, { folder })
  t.equal((await again.api.get('/readyz')).status, 200)
})

t.test('starting says nothing but what a log says, and warns of nothing', async (t) => {
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

function multipart(pdf: Buffer) {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"'
  return {
    head: Buffer.from(`--part\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`),
    pdf,
    tail: Buffer.from('\r\n--part--\r\n'),
  }
}
