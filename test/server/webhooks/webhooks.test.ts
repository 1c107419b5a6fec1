// Webhooks over HTTP, with endpoints on this machine: what is sent, by whom it is signed, in which order, and what happens
// when an endpoint fails.
import { createHmac } from 'node:crypto'
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, titled } from '../changes/support/changing.js'
import { cmsOver, complete, field, prepare } from '../signatures/support/signing.js'
import { done, runServer } from '../support/running-server.js'
import { uploaded } from '../support/uploads.js'
import { startReceiver, verify } from './support/receiver.js'

const local = { webhookAllow: ['127.0.0.1/32'], webhookHttp: true }
const server = await runServer(t, { settings: local, webhookBounds: { pollMs: 50 } })
const { api, clock } = server
const pdf = onePage('0 0 100 100 re f')
const hour = 60 * 60 * 1000
const webhooks = (tenant = 'acme') => `/v1/tenants/${tenant}/webhooks`
for (const id of ['acme', 'other', 'frozen']) await api.post('/v1/tenants', { id }).then(done)

const all = ['document.ready', 'document.failed', 'document.changed', 'version.created', 'share.opened']

interface Created {
  readonly id: string
  readonly secret: string
  readonly path: string
}

async function create(url: string, types: readonly string[] = all, tenant = 'acme'): Promise<Created> {
  const answer = await api.post(webhooks(tenant), { url, types }).then(done)
  const id = answer.word('/webhook/id')
  return { id, secret: answer.word('/secret'), path: `${webhooks(tenant)}/${id}` }
}

const titleOf = (number: number) => ({ opId: `op-${number}`, ops: [titled(`Title ${number}`)] })

t.test('every event is sent once, with a signature that a library of the specification accepts', async (t) => {
  const receiver = await startReceiver(t)
  const { secret, path } = await create(`${receiver.url}/hook?token=in-the-url`)
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const docId = await server.upload(pdf)
  await change(api, { docId }, titleOf(1)).then(done)
  const prepared = await prepare({ api, docId }, field('sign')).then(done)
  await complete({ api, docId }, prepared, { cms: cmsOver(prepared) }).then(done)
  const share = await api.post('/v1/tenants/acme/shares', { docId, scope: ['doc.open'] }).then(done)
  const origin = { origin: 'https://example.com' }
  await api.post('/v1/share-sessions', { shareToken: share.word('/share/id') }, origin).then(done)
  await uploaded(api, Buffer.from('no PDF at all'), { docId: 'broken' })
  const received = await receiver.until(5)
  for (const one of received) {
    t.equal(one.path, '/hook?token=in-the-url')
    t.equal(one.event.id, one.id)
    t.doesNotThrow(() => verify(secret, one))
    t.throws(() => verify(secret, { ...one, body: one.body.replace('acme', 'acmf') }))
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const content = `${one.id}.${one.headers['webhook-timestamp']}.${one.body}`
    t.equal(one.headers['webhook-signature'], `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    t.notOk(one.body.includes(share.word('/share/id')), 'the token of the share is not sent')
  }
  t.same(
    received.filter(({ event }) => event.data['docId'] === docId).map(({ event }) => event.type),
    ['document.ready', 'document.changed', 'version.created', 'share.opened'],
  )
  const of = (type: string) => received.find(({ event }) => event.type === type)?.event.data
  t.match(of('document.ready'), { tenantId: 'acme', docId, version: 1, layerName: null, sha256: /^[0-9a-f]{64}$/ })
  t.match(of('document.changed'), { layerName: 'default', kind: 'change', change: 1, actor: 'api' })
  t.match(of('version.created'), { version: 2, kind: 'signature.complete', actor: 'api' })
  t.match(of('share.opened'), { actor: /^share-/ })
  t.match(of('document.failed'), { docId: 'broken', failureReason: /./ })
  t.notOk(
    received.some(({ body }) => body.includes('Title 1')),
    'no content of the document is sent',
  )
  await receiver.until(5)
  const listed = await api.get(`${path}/deliveries`).then(done)
  t.same([listed.at('/deliveries/4/type'), listed.at('/deliveries/4/docId')], ['document.ready', docId])
})

t.test('the secret is answered once, and is in no list, log line or metric', async (t) => {
  const receiver = await startReceiver(t)
  const { secret, path, id } = await create(receiver.url)
  const rotated = await api.post(`${path}/rotate-secret`, { overlapSeconds: 60 }).then(done)
  const texts = [
    (await api.get(webhooks())).text,
    (await api.get(path)).text,
    (await api.patch(path, { types: ['share.opened'] })).text,
    (await api.get(`${path}/deliveries`)).text,
    (await api.get('/metrics')).text,
    server.log(),
  ]
  for (const hidden of [secret, rotated.word('/secret')]) {
    t.notOk(texts.some((text) => text.includes(hidden.slice('whsec_'.length))))
  }
  t.notOk(server.log().includes('in-the-url'), 'nor is the URL in the log')
  t.same((await api.get(path)).at('/webhook/types'), ['share.opened'])
  t.equal((await api.get(path)).at('/webhook/id'), id)
  await api.delete(path).then(done)
})

t.test('both secrets sign during a rotation, and afterwards only the new one', async (t) => {
  const receiver = await startReceiver(t)
  const { secret, path } = await create(receiver.url, ['document.ready'])
  const newer = (await api.post(`${path}/rotate-secret`, { overlapSeconds: 3600 }).then(done)).word('/secret')
  const first = await api.post(`${path}/ping`).then(done)
  t.match(first.json(), { attempt: { statusCode: 204, error: null } })
  clock.advance(2 * hour)
  await api.post(`${path}/ping`).then(done)
  const [during, after] = await receiver.until(2)
  if (during === undefined || after === undefined) throw new Error('two pings were sent')
  t.equal(during.event.type, 'webhook.ping')
  for (const one of [secret, newer]) t.doesNotThrow(() => verify(one, during))
  t.equal(after.headers['webhook-signature']?.split(' ').length, 1)
  await api.delete(path).then(done)
})

t.test('deliveries of a document keep their order behind a failing one, while other documents go on', async (t) => {
  const receiver = await startReceiver(t)
  const slow = await server.upload(pdf)
  const quick = await server.upload(pdf)
  const { path } = await create(receiver.url, ['document.changed'])
  let failures = 2
  receiver.answer = ({ event }) => ({ status: event.data['docId'] === slow && failures-- > 0 ? 503 : 200 })
  for (const number of [1, 2, 3]) await change(api, { docId: slow }, titleOf(number)).then(done)
  await change(api, { docId: quick }, titleOf(1)).then(done)
  const ofDocument = (docId: string) => (one: { readonly event: { readonly data: object } }) =>
    (one.event.data as { readonly docId: string }).docId === docId
  await receiver.until(1, ofDocument(quick))
  await receiver.until(1, ofDocument(slow))
  const waiting = await untilMatch(path, '/deliveries/3/last/statusCode', 503)
  t.match(waiting.at('/deliveries/3'), { state: 'waiting', attempts: 1, last: { error: 'status' } })
  clock.advance(6000)
  await receiver.until(2, ofDocument(slow))
  await untilMatch(path, '/deliveries/3/attempts', 2)
  clock.advance(20_000)
  const received = await receiver.until(5, ofDocument(slow))
  t.same(
    received.map(({ event }) => event.data['change']),
    [1, 1, 1, 2, 3],
  )
  t.equal(new Set(received.slice(0, 3).map(({ id }) => id)).size, 1, 'an attempt is repeated with its id')
  const over = await untilMatch(path, '/deliveries/1/state', 'delivered')
  t.match(over.at('/deliveries/3'), { state: 'delivered', attempts: 3, last: { statusCode: 200, error: null } })
  t.equal((await api.get(path)).at('/webhook/failingSince'), null)
  await api.delete(path).then(done)
})

/** Reads the log of deliveries until a member has the value. */
async function untilMatch(path: string, pointer: string, value: unknown) {
  for (;;) {
    const answer = await api.get(`${path}/deliveries`).then(done)
    if (answer.at(pointer) === value) return answer
    await new Promise(setImmediate)
  }
}

t.test('an endpoint that answers 410 pauses its webhook; it can be resumed, and the delivery repeated', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = () => ({ status: 410 })
  const { path } = await create(receiver.url, ['document.ready'])
  await server.upload(pdf)
  const log = await untilMatch(path, '/deliveries/0/state', 'given-up')
  t.match(log.at('/deliveries/0'), { attempts: 1, last: { statusCode: 410, error: 'gone' } })
  t.match((await api.get(path)).at('/webhook'), { status: 'paused', pauseReason: 'gone' })
  await server.upload(pdf)
  t.equal((await api.get(`${path}/deliveries`)).at('/deliveries/1'), undefined, 'nothing is recorded for it')
  receiver.answer = () => ({ status: 200 })
  t.match((await api.post(`${path}/resume`).then(done)).at('/webhook'), { status: 'active', pauseReason: null })
  const again = `${path}/deliveries/${log.word('/deliveries/0/id')}/redeliver`
  const repeated = await api.post(again).then(done)
  t.equal(repeated.at('/delivery/eventId'), log.at('/deliveries/0/eventId'))
  const [first, second] = await receiver.until(2)
  t.equal(first?.id, second?.id)
  await api.delete(path).then(done)
})

t.test('deliveries that wait for an attempt go on after the clock went back', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = () => ({ status: 503 })
  const { path } = await create(receiver.url, ['document.ready'])
  clock.advance(10 * hour)
  await server.upload(pdf)
  await untilMatch(path, '/deliveries/0/last/statusCode', 503)
  receiver.answer = () => ({ status: 200 })
  clock.advance(-10 * hour)
  await receiver.until(2)
  await untilMatch(path, '/deliveries/0/state', 'delivered')
  await api.delete(path).then(done)
})

t.test(
  'an endpoint without a success for three days pauses its webhook, and what waits so long is given up',
  async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = () => ({ status: 500 })
    const { path } = await create(receiver.url, ['document.ready'])
    await server.upload(pdf)
    await untilMatch(path, '/deliveries/0/attempts', 1)
    await untilMatch(path, '/deliveries/0/last/statusCode', 500)
    clock.advance(73 * hour)
    await untilMatch(path, '/deliveries/0/state', 'given-up')
    await server.upload(pdf)
    await receiver.until(2)
    await untilMatch(path, '/deliveries/0/last/statusCode', 500)
    t.match((await api.get(path)).at('/webhook'), { status: 'paused', pauseReason: 'failing' })
    await api.delete(path).then(done)
  },
)

t.test('a paused webhook, and one of a suspended tenant, is sent nothing until it is resumed', async (t) => {
  const receiver = await startReceiver(t)
  const paused = await create(receiver.url, ['document.ready'])
  const suspended = await create(receiver.url, ['document.ready'], 'frozen')
  await api.post(`${paused.path}/pause`).then(done)
  await api.post('/v1/tenants/frozen/suspend').then(done)
  await server.upload(pdf)
  await server.upload(pdf, { tenantId: 'frozen' })
  await api.post(`${paused.path}/ping`).then(done)
  const [only] = await receiver.until(1)
  t.equal(only?.event.type, 'webhook.ping', 'a ping is sent all the same')
  t.equal(receiver.received.length, 1)
  await api.post(`${paused.path}/resume`).then(done)
  await api.post('/v1/tenants/frozen/resume').then(done)
  const received = await receiver.until(3)
  t.same(received.map(({ event }) => event.data['tenantId']).sort(), ['acme', 'acme', 'frozen'])
  for (const { path } of [paused, suspended]) await api.delete(path).then(done)
})

t.test('another tenant sees nothing of a webhook, and a tenant token needs webhooks.manage', async (t) => {
  const receiver = await startReceiver(t)
  const { path, id } = await create(receiver.url)
  const stranger = api.as(await server.tenantToken('other', ['*']))
  const reader = api.as(await server.tenantToken('acme', ['docs.read']))
  const manager = api.as(await server.tenantToken('acme', ['webhooks.manage']))
  for (const { operation, own } of [
    { operation: (client: typeof api) => client.get(path), own: 200 },
    { operation: (client: typeof api) => client.get(`${path}/deliveries`), own: 200 },
    { operation: (client: typeof api) => client.post(`${path}/ping`), own: 200 },
  ]) {
    t.equal((await operation(stranger)).code, 'Forbidden')
    t.equal((await operation(reader)).code, 'Forbidden')
    t.equal((await operation(manager)).status, own)
  }
  t.equal((await api.get(`${webhooks('other')}/${id}`)).code, 'NotFound')
  t.same((await api.get(webhooks('other'))).json(), { webhooks: [] })
  await server.upload(pdf, { tenantId: 'other' })
  await api.post(`${path}/ping`).then(done)
  t.notOk(receiver.received.some(({ event }) => event.data['tenantId'] === 'other'))
  await api.delete(path).then(done)
})

t.test('a tenant has 16 webhooks at most', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 18 }, () => api.post(webhooks('other'), { url: 'https://example.com', types: all })),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 16)
  t.equal(answers.filter(({ code }) => code === 'Conflict').length, 2)
})
