// Health, readiness and metrics, for operators and orchestrators.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { SharedResult } from '../../server/concurrency/shared-result.js'
import { buildApp } from '../../server/lifecycle/app.js'
import { openDeployment } from '../../server/lifecycle/open-deployment.js'
import type { Deployment } from '../../server/operation/deployment.js'
import { readSettings } from '../../server/settings/settings.js'
import { scratchFolder } from '../cli/scratch.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { builtThread } from '../support/worker-thread.js'
import { MovableClock, runServer } from './support/running-server.js'

const server = await runServer(t)
const anyone = server.api.as(undefined)

t.test('/healthz answers without a credential', async (t) => {
  const { status, text } = await anyone.get('/healthz')
  t.equal(status, 200)
  t.equal(text, '{"status":"ok"}')
})

t.test('/readyz lists every part that it checks', async (t) => {
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

/** Breaks a part, which the report names. */
type Breakage = readonly [part: string, breakIt: (deployment: Deployment, folder: string) => unknown, what?: string]
const breakages: readonly Breakage[] = [
  ['store', ({ store }) => store.close()],
  // Root ignores file permissions, so the folder itself is removed.
  ['blobs', (_deployment, folder) => rm(join(folder, 'workshop'), { recursive: true })],
  ['blobs', ({ blobs }) => Object.assign(blobs, { probe: () => new Promise(() => {}) }), 'it never answers'],
  ['workers', ({ workers }) => workers.close()],
  ['leases', ({ leases }) => leases.close()],
]
for (const [part, breakIt, what = 'it fails'] of breakages) {
  t.test(`/readyz is 503 and names the broken part: ${part}, ${what}`, async (t) => {
    const folder = scratchFolder(t, 'data')
    const settings = await readSettings({ flags: { data: folder, threads: '1' }, env: {} })
    const log = new PassThrough()
    const clock = new MovableClock()
    const opened = await openDeployment(settings, { env: {}, logTo: log, thread: await builtThread(), clock })
    const app = await buildApp(opened.deployment, { logger: opened.deployment.log, version: '0.0.0-test' })
    t.teardown(async () => {
      await app.close()
      await opened.close()
    })
    t.equal((await app.inject('/readyz')).statusCode, 200)
    await breakIt(opened.deployment, folder)
    t.equal((await app.inject('/readyz')).statusCode, 200, 'the result of a moment ago is cached')
    clock.advance(1000)
    const answer = await app.inject('/readyz')
    t.equal(answer.statusCode, 503)
    const parts = { store: 'ok', blobs: 'ok', workers: 'ok', leases: 'ok', [part]: 'failed' }
    t.strictSame(answer.json(), { status: 'unready', parts })
    t.match(String(log.read()), `"part":"${part}"`, 'the log tells operators why')
    t.equal((await app.inject('/healthz')).statusCode, 200, '/healthz is still 200')
  })
}

t.test('/readyz checks its parts at most once per second', async (t) => {
  let probes = 0
  const clock = new MovableClock()
  const readiness = new SharedResult(async () => ++probes, { forMs: 1000, clock })
  const together = await Promise.all(Array.from({ length: 50 }, () => readiness.get()))
  t.same(new Set(together), new Set([1]))
  clock.advance(900)
  t.equal(await readiness.get(), 1)
  clock.advance(100)
  t.equal(await readiness.get(), 2)
})
