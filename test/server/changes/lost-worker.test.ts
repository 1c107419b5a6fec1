// A worker that is lost during a change: the request can be repeated, and the change is applied once.
import { Writable } from 'node:stream'
import t from 'tap'
import { buildApp } from '../../../server/lifecycle/app.js'
import { openDeployment } from '../../../server/lifecycle/open-deployment.js'
import type { Config } from '../../../server/settings/config.js'
import { readSettings } from '../../../server/settings/settings.js'
import { PoolFailure } from '../../../workers/messages/task.js'
import type { WorkerPool } from '../../../workers/pool/pool.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { builtThread } from '../../support/worker-thread.js'
import { Client } from '../support/client.js'
import { makers } from '../support/running-server.js'
import { change, layerPath, outcomes, titled, titleOf } from './support/changing.js'

/** When the worker of the next change is lost: before it begins, or after it has applied the change to its open copy. */
let losing: 'never' | 'before' | 'after' = 'never'

const config: Config = {
  ...(await readSettings({ flags: {}, env: {} })),
  port: 0,
  threads: 1,
  data: scratchFolder(t, 'data'),
}
const logTo = new Writable({ write: (_chunk, _encoding, done) => done() })
const { deployment, apiToken, close } = await openDeployment(config, { env: {}, logTo, thread: await builtThread() })
const lost = () => new PoolFailure('worker-lost', 'The worker thread was lost', 1)

async function run(...[job, ...input]: Parameters<WorkerPool['run']>) {
  const when = job === 'change' ? losing : 'never'
  if (when !== 'never') losing = 'never'
  if (when === 'before') throw lost()
  const answer = await deployment.workers.run(job, ...input)
  if (when === 'after') throw lost()
  return answer
}

const workers = new Proxy(deployment.workers, {
  get(pool, name) {
    if (name === 'run') return run
    const member: unknown = Reflect.get(pool, name, pool)
    return typeof member === 'function' ? member.bind(pool) : member
  },
})
const app = await buildApp({ ...deployment, workers }, { logger: deployment.log, version: '0.0.0-test' })
const api = new Client(await app.listen({ port: 0, host: '127.0.0.1' }), apiToken)
t.teardown(async () => {
  await app.close()
  await close()
})
const layer = { docId: await makers(api).upload(onePage('0 0 100 100 re f')) }
const page = { kind: 'objectNumber', objectNumber: 3 }

for (const when of ['before', 'after'] as const) {
  t.test(
    `a worker lost ${when} the change was applied: nothing is stored, and a repeated request applies it once`,
    async (t) => {
      const entry = { opId: when, ops: [titled(when)] }
      const before = (await api.get(`${layerPath(layer)}/manifest`)).json()
      losing = when
      const failed = await change(api, layer, entry, { opId: `${when}-next`, ops: [] })
      t.same(outcomes(failed), ['RuntimeUnavailable', 'applied'], 'the next change of the request is unaffected')
      t.not(await titleOf(api, layer), when)
      const again = await change(api, layer, entry)
      t.same(outcomes(again), ['applied'])
      t.notOk(again.headers.has('idempotency-replayed'))
      t.equal(await titleOf(api, layer), when)
      const { auditHead } = Object((await api.get(`${layerPath(layer)}/manifest`)).json())
      t.equal(auditHead, Object(before).auditHead + 2)
    },
  )
}

t.test('a write route answers 503, after which clients repeat the request', async (t) => {
  losing = 'after'
  const turn = () =>
    api.post(`${layerPath(layer)}/pages/rotate`, { pages: [page], rotation: 90 }, { 'idempotency-key': 'k' })
  const failed = await turn()
  t.equal(`${failed.status} ${failed.code}`, '503 RuntimeUnavailable')
  t.ok(failed.headers.get('retry-after'))
  t.equal((await turn()).status, 200)
})
