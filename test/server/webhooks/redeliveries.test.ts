// Redeliveries of webhooks on request: one at a time of each event, and within the limit of what waits.
import t, { type Test } from 'tap'
import { webhookLimits } from '../../../server/outbox/webhook-limits.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { startReceiver } from './support/receiver.js'

const local = { webhookAllow: ['127.0.0.1/32'], webhookHttp: true }
const server = await runServer(t, { settings: local, webhookBounds: { pollMs: 50 } })
const { api } = server
const pdf = onePage('0 0 100 100 re f')
const webhooks = '/v1/tenants/acme/webhooks'
await api.post('/v1/tenants', { id: 'acme' }).then(done)

/** Makes a webhook and documents, whose deliveries are over. Returns the path of the webhook and the ids of deliveries. */
async function delivered(t: Test, count: number) {
  const receiver = await startReceiver(t)
  const { url } = receiver
  const made = await api.post(webhooks, { url, types: ['document.ready', 'document.changed'] }).then(done)
  const path = `${webhooks}/${made.word('/webhook/id')}`
  const docIds: string[] = []
  for (let number = 0; number < count; number++) docIds.push(await server.upload(pdf))
  for (;;) {
    const { deliveries } = (await api.get(`${path}/deliveries`).then(done)).json() as Deliveries
    const over = deliveries.filter(({ state }) => state !== 'waiting')
    const again = (index: number) => api.post(`${path}/deliveries/${over[index]?.id}/redeliver`)
    if (over.length === count) return { path, receiver, docIds, again }
    await new Promise(setImmediate)
  }
}

interface Deliveries {
  readonly deliveries: readonly { readonly id: string; readonly state: string }[]
}

const waitingIn = async (path: string): Promise<number> =>
  ((await api.get(`${path}/deliveries`).then(done)).json() as Deliveries).deliveries.filter(
    ({ state }) => state === 'waiting',
  ).length

t.test('while a redelivery waits, a repeated request answers it', async (t) => {
  const { path, receiver, again } = await delivered(t, 2)
  await api.post(`${path}/pause`).then(done)
  const first = (await again(0).then(done)).word('/delivery/id')
  const repeated = await Promise.all(Array.from({ length: 5 }, () => again(0).then(done)))
  t.same(new Set(repeated.map((answer) => answer.word('/delivery/id'))), new Set([first]))
  t.not((await again(1).then(done)).word('/delivery/id'), first, 'that of another event is another one')
  t.equal(await waitingIn(path), 2)
  t.equal((await api.post(`${path}/deliveries/${first}/redeliver`)).code, 'Conflict', 'one that waits is not over')
  await api.post(`${path}/resume`).then(done)
  await receiver.until(4)
  while ((await waitingIn(path)) > 0) await new Promise(setImmediate)
  t.not((await again(0).then(done)).word('/delivery/id'), first, 'afterwards it is sent once more')
  await receiver.until(5)
  await api.delete(path).then(done)
})

t.test('nothing is sent again while as many wait as may', async (t) => {
  const { waitingMax } = webhookLimits
  const bounds: { waitingMax: number } = webhookLimits as never
  t.teardown(() => {
    bounds.waitingMax = waitingMax
  })
  bounds.waitingMax = 4
  const { path, docIds, again } = await delivered(t, 4)
  await api.post(`${path}/pause`).then(done)
  const [docId = ''] = docIds
  for (const number of [1, 2])
    await change(api, { docId }, { opId: `op-${number}`, ops: [titled(`Title ${number}`)] }).then(done)
  const answers = await Promise.all([0, 1, 2, 3].map(again))
  t.same(answers.map(({ status, code }) => code ?? status).toSorted(), [200, 200, 'Conflict', 'Conflict'])
  t.equal(await waitingIn(path), 4)
  const accepted = answers.findIndex(({ status }) => status === 200)
  t.equal((await again(accepted)).status, 200, 'one that waits is answered all the same')
  await api.delete(path).then(done)
})

t.test('nothing is sent again to an endpoint that is gone, until the webhook is resumed', async (t) => {
  const { path, receiver, again } = await delivered(t, 1)
  receiver.answer = () => ({ status: 410 })
  await server.upload(pdf)
  while ((await api.get(path).then(done)).at('/webhook/pauseReason') !== 'gone') await new Promise(setImmediate)
  const refused = await again(0)
  t.same([refused.code, await waitingIn(path)], ['Conflict', 0])
  receiver.answer = () => ({ status: 204 })
  await api.post(`${path}/resume`).then(done)
  await again(0).then(done)
  await receiver.until(3)
  await api.delete(path).then(done)
})
