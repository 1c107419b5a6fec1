// What operators and orchestrators ask: does it live, can it work, what is it doing.
import t from 'tap'
import { onePage } from '../support/pdf/raw-pdf.js'
import { runServer } from './support/running-server.js'

const server = await runServer(t)
const anyone = server.api.as(undefined)

t.test('/healthz answers without a credential', async (t) => {
  const { status, text } = await anyone.get('/healthz')
  t.equal(status, 200)
  t.equal(text, '{"status":"ok"}')
})

t.test('/readyz names every part that it tried', async (t) => {
  const answer = await anyone.get('/readyz')
  t.equal(answer.status, 200)
  t.strictSame(answer.json(), {
    status: 'ready',
    parts: { store: 'ok', blobs: 'ok', workers: 'ok', leases: 'ok' },
  })
})

t.test('/metrics counts requests by operation and shows the pool, without ids', async (t) => {
  const docId = await server.upload(onePage('0 0 10 10 re f'))
  await server.api.get(`/v1/docs/${docId}/head`)
  const { status, text, headers } = await anyone.get('/metrics')
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/plain/)
  t.match(text, /steward_request_duration_seconds_count\{operation="doc.head",status="200"\} 1/)
  t.match(text, /^steward_pool_threads 1$/m)
  t.notMatch(text, docId)
})
