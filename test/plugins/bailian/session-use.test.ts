// Stores of sessions on bailian, and their events as a stream.
import t, { type Test } from 'tap'
import type { Call } from '../../../core/plugin/handler.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import { systemClock } from '../../../core/ports/clock.js'
import { nodeHttp, nodeHttpStream } from '../../../core/ports/node-http.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { BailianClient } from '../../../plugins/bailian/client.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { sessions } from '../../../plugins/bailian/sessions.js'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const helper = { model: 'qwen3.8-max', instructions: 'Help.' }

async function prepared(t: Test, body: JsonObject = {}): Promise<Workbench> {
  const bench = await openBailian(t)
  for (let number = 0; number < 9; number++) bench.declare('memory_store', `s${number}`, {})
  bench.declare('agent', 'helper', { ...helper, ...body })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

function bodyFor(bench: Workbench, request: Partial<SessionRequest> = {}) {
  const agent = bench.declaration('agent', 'helper')
  return bench.expanded(sessions.request(agent, { ...nothing, ...request }, bench.scope(agent)))
}

/** Waits are real here, and events stream. */
function callWithTime(bench: Workbench, signal: AbortSignal): Call<BailianClient> {
  const random = { uuid: () => '', fraction: () => 0 }
  const environment = { http: nodeHttp, httpStream: nodeHttpStream, clock: systemClock, random }
  const emulatorUrl = bench.emulator.url
  const client = bailian.connect({ api_key: 'k', workspace_id: 'w' }, { ...environment, emulatorUrl }) as BailianClient
  return { ...bench.call, client, signal }
}

t.test('2.14 an explicit resource overrides the shorthand for the same store', async (t) => {
  const bench = await prepared(t, {
    memory_stores: ['s0', 's1'],
    resources: [{ type: 'memory_store', memory_store: 's0', access: 'read_only', instructions: 'Look only.' }],
  })
  const [first, second] = ['s0', 's1'].map((name) => bench.id('memory_store', name))
  const mounts = [
    { type: 'memory_store', memory_store_id: first, access: 'read_only', instructions: 'Look only.' },
    { type: 'memory_store', memory_store_id: second, access: 'read_write', instructions: undefined },
  ]
  t.same(bodyFor(bench)['resources'], mounts)
  t.same(bodyFor(bench, { memoryStores: ['s0'] })['resources'], mounts, 'repeating a store does not widen its access')
})

t.test('7.8 a session with a ninth store is refused before any call', async (t) => {
  const stores = Array.from({ length: 8 }, (_, number) => `s${number}`)
  const bench = await prepared(t, { memory_stores: stores })
  t.doesNotThrow(() => bodyFor(bench, { memoryStores: ['s0'] }))
  t.throws(() => bodyFor(bench, { memoryStores: ['s8'] }), { message: /at most 8 distinct memory stores; these are 9/ })
})

t.test('each event is returned once, from the history and from the stream', async (t) => {
  const bench = await prepared(t)
  const stop = new AbortController()
  const call = callWithTime(bench, stop.signal)
  const id = String((await sessions.create(call, bodyFor(bench)))['id'])
  t.match(await sessions.send(call, id, 'First.'), { data: [{ type: 'message' }] })
  const events: JsonObject[] = []
  for await (const event of sessions.events(call, id, { follow: false })) events.push(event)
  t.equal(events.length, 4)

  const followed: JsonObject[] = []
  for await (const event of sessions.events(call, id, { follow: true })) {
    followed.push(event)
    if (followed.length === 4) await bench.request('POST', `/sessions/${id}/events`, secondMessage)
    if (followed.length === 8) break
  }
  t.same(
    followed.map((event) => event['sequence_number']),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  stop.abort()
})

const secondMessage = { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'Second.' }] }] }
