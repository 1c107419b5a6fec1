// Processes on one Redis forget cached content when any of them redacts some.
import t from 'tap'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { layerPath } from './changes/support/changing.js'
import { done, type Running, runServer } from './support/running-server.js'

const page = { kind: 'objectNumber', objectNumber: 3 }
/** Shorter than the interval at which caches are emptied in any case. */
const patienceMs = 60_000

t.test('a redaction empties the caches of every process on the same Redis', needsRedis(), async (t) => {
  const settings = { redis: (await startRedis(t)).address }
  const [one, other] = [await runServer(t, { settings }), await runServer(t, { settings })]
  const read = `${layerPath({ docId: await other.upload(onePage('0 0 10 10 re f')) })}/text/pages/obj:3/data`
  done(await other.api.get(read))
  const before = await missesOf(other)
  done(await other.api.get(read))
  t.equal(await missesOf(other), before, 'the text is cached')

  const layer = layerPath({ docId: await one.upload(onePage('0 0 10 10 re f')) })
  const data = { subtype: 'redact', rect: { x: 1, y: 1, width: 5, height: 5 } }
  const mark = { type: 'annotations.create', page, data }
  done(await one.api.post(`${layer}/changes`, { changes: [{ opId: 'mark', ops: [mark] }] }))
  done(await other.api.get(read))
  t.equal(await missesOf(other), before, 'a mark alone empties nothing')
  done(await one.api.post(`${layer}/redactions/apply`, { pages: [page] }))
  const end = performance.now() + patienceMs
  while ((await missesOf(other)) === before && performance.now() < end) done(await other.api.get(read))
  t.ok((await missesOf(other)) > before)
})

async function missesOf({ api }: Running): Promise<number> {
  const { text } = await api.as(undefined).get('/metrics')
  return Number(/event="read-cache-miss"\} (\d+)/.exec(text)?.[1] ?? 0)
}
