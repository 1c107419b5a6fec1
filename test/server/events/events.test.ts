// Event streams of layers over HTTP: every change once and in order, resumption, filtering by capabilities, and end with the
// credential.
import t from 'tap'
import { AuditEvent, WithheldPayload } from '../../../server/schemas/events.js'
import { formPdf, numbered } from '../../support/pdf/form-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { change, type Layer, layerPath, outcomes, titled } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'

/** Number of stored events: small, so that a test can miss some. */
const replayRowsMax = 5
const server = await runServer(t, { streamBounds: { replayRowsMax } })
const { api } = server
const pdf = formPdf()
const newLayer = async (): Promise<Layer> => ({ docId: await server.upload(pdf) })
const filled = (value: string) => ({ type: 'forms.setValue', field: numbered(10), value: { value } })
const follow = async (layer: Layer, { client = api, after }: { client?: Client; after?: number } = {}) => {
  const headers = after === undefined ? {} : { 'last-event-id': String(after) }
  const reader = await EventReader.open(client, `${layerPath(layer)}/events`, headers)
  t.teardown(() => reader.close())
  return reader
}

let opIds = 0
async function make(layer: Layer, ...ops: readonly object[]) {
  opIds += 1
  const answer = done(await change(api, layer, { opId: `made-${opIds}`, ops }))
  t.same(outcomes(answer), ['applied'], answer.text.slice(0, 300))
  return answer.at('/changes/0/result')
}

t.test('shapes 16: an event contains the same result as the response to the writer', async (t) => {
  const layer = await newLayer()
  const reader = await follow(layer)
  t.equal(reader.headers.get('content-type'), 'text/event-stream')
  t.equal(reader.headers.get('cache-control'), 'no-store')
  const results = [await make(layer, filled('one')), await make(layer, titled('Two'), filled('two'))]
  const events = await reader.take(2)
  const validator = strictly(AuditEvent)()
  for (const [index, { event, id, data }] of events.entries()) {
    t.equal(event, 'mutation')
    t.equal(id, String(index + 1))
    t.ok(validator.Check(data), JSON.stringify(validator.Errors(data)[0] ?? ''))
    t.match(data, { id: index + 1, sub: 'api', kind: 'change', undoOf: null, payload: results[index] })
    t.notOk('withheld' in data)
  }
  t.match(events[0]?.data, { pageObjectNumber: 3, affectedPages: [3], idempotencyKey: `made-${opIds - 1}` })
})

t.test('a stream begins with the next change, or after Last-Event-ID, and contains each change once', async (t) => {
  const layer = await newLayer()
  for (const value of ['one', 'two', 'three']) await make(layer, filled(value))
  const fromNow = await follow(layer)
  const resumed = await follow(layer, { after: 1 })
  await make(layer, filled('four'))
  t.same(
    (await resumed.take(3)).map(({ id }) => id),
    ['2', '3', '4'],
  )
  t.same(
    (await fromNow.take(1)).map(({ id }) => id),
    ['4'],
  )
  t.same(
    (await (await follow(layer, { after: 0 })).take(4)).map(({ id }) => id),
    ['1', '2', '3', '4'],
  )
})

t.test('a stream contains changes of its layer only; event ids count all changes of the document', async (t) => {
  const { docId } = await newLayer()
  const [mine, other] = [
    { docId, layerName: 'mine' },
    { docId, layerName: 'other' },
  ]
  const reader = await follow(mine)
  await make(other, filled('not for you'))
  await make(mine, filled('for you'))
  await make(other, filled('not for you either'))
  await make(mine, titled('For you too'))
  const events = await reader.take(2)
  t.same(
    events.map(({ id }) => id),
    ['2', '4'],
  )
  t.notMatch(JSON.stringify(events), /not for you/)
})

t.test('results that a reader may not list are withheld: its events contain changed pins only', async (t) => {
  const layer = await newLayer()
  const opening = api.as(await server.documentToken(layer.docId, ['doc.open']))
  const formReader = api.as(await server.documentToken(layer.docId, ['doc.open', 'doc.forms.read']))
  const [withheld, full] = [await follow(layer, { client: opening }), await follow(layer, { client: formReader })]
  const result = await make(layer, filled('secret value'))
  await make(layer, titled('Public'))
  const [first, second] = await withheld.take(2)
  t.match(first?.data, { withheld: true, kind: 'change', payload: { meta: { cacheDelta: Object } } })
  t.ok(strictly(WithheldPayload)().Check(first?.data['payload']))
  t.same(Object(first?.data['payload']).meta.cacheDelta, Object(result).meta.cacheDelta)
  t.notMatch(JSON.stringify(first), /secret value/)
  t.match(second?.data, { payload: { items: [{ metadata: { title: 'Public' } }] } }, 'metadata needs doc.open only')
  t.match((await full.take(1))[0]?.data, { payload: result })
})

t.test('a reader that resumes from an unknown change is told to read everything again, and then resumes', async (t) => {
  const layer = await newLayer()
  await make(layer, filled('one'))
  const reader = await follow(layer, { after: 99 })
  t.match(await reader.next(), { event: 'full-refresh', id: '1', data: {} })
  await make(layer, filled('two'))
  t.match(await reader.next(), { event: 'mutation', id: '2' })
  for (const wrong of ['x', '-1', '1.5', '1e3']) {
    const answer = await api.get(`${layerPath(layer)}/events`, { 'last-event-id': wrong })
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', wrong)
  }
})

t.test(
  'a reader that missed too many changes is told to read everything again; one that missed fewer receives them',
  async (t) => {
    const layer = await newLayer()
    for (let index = 0; index <= replayRowsMax; index++) await make(layer, filled(`${index}`))
    const [late, later] = [await follow(layer, { after: 1 }), await follow(layer, { after: 0 })]
    t.same(
      (await late.take(replayRowsMax)).map(({ event, id }) => `${event} ${id}`),
      Array.from({ length: replayRowsMax }, (_, index) => `mutation ${index + 2}`),
    )
    t.match(await later.next(), { event: 'full-refresh', id: String(replayRowsMax + 1), data: {} })
    await make(layer, filled('more'))
    t.match(await later.next(), { event: 'mutation', id: String(replayRowsMax + 2) })
  },
)

const lastOf = async (reader: EventReader): Promise<string | undefined> => {
  for (let last: string | undefined; ; ) {
    const event = await reader.next()
    if (!event) return last
    last = event.event
  }
}

t.test('auth 2: revoking a token ends its stream, which cannot be resumed, and no other', async (t) => {
  const layer = await newLayer()
  const token = await server.documentToken(layer.docId, ['doc.open'])
  const [revoked, other] = [await follow(layer, { client: api.as(token) }), await follow(layer)]
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  await api.post(`/v1/tenants/acme/tokens/${jti}/revoke`)
  t.equal(await lastOf(revoked), 'auth-revoked')
  await make(layer, filled('still there'))
  t.match(await other.next(), { event: 'mutation' })
})

t.test('streams of a suspended tenant end, except those of the API token', async (t) => {
  const docId = await server.upload(pdf, { tenantId: 'frozen' })
  const token = await server.documentToken(docId, ['doc.open'], { tenantId: 'frozen' })
  const [theirs, ours] = [await follow({ docId }, { client: api.as(token) }), await follow({ docId })]
  await api.post('/v1/tenants/frozen/suspend').then(done)
  t.equal(await lastOf(theirs), 'auth-revoked')
  await make({ docId }, filled('meanwhile'))
  t.match(await ours.next(), { event: 'mutation' })
})

t.test('every stream of a deleted document ends', async (t) => {
  const layer = await newLayer()
  const reader = await follow(layer)
  await make(layer, filled('last words'))
  done(await api.delete(`/v1/tenants/acme/documents/${layer.docId}`))
  t.equal(await lastOf(reader), 'auth-revoked')
  t.equal((await api.get(`${layerPath(layer)}/events`)).status, 404)
})

t.test(
  'a stream ends shortly before its token expires, so that the client can reconnect with a new token',
  async (t) => {
    const layer = await newLayer()
    const token = await server.documentToken(layer.docId, ['doc.open'], { expiresIn: 60 })
    const reader = await follow(layer, { client: api.as(token) })
    await make(layer, titled('Before'))
    t.match(await reader.next(), { event: 'mutation' })
    server.clock.advance(56_000)
    await make(layer, titled('After'))
    t.match(await reader.next(), { event: 'auth-expiring' })
    t.equal(await reader.next(), undefined)
  },
)

t.test('event streams have no HEAD', async (t) => {
  const layer = await newLayer()
  t.equal((await api.send(`${layerPath(layer)}/events`, { method: 'HEAD' })).status, 404)
})

t.test('a server that stops ends its streams without waiting for clients', async (t) => {
  const stopping = await runServer(t)
  const docId = await stopping.upload(pdf)
  const reader = await EventReader.open(stopping.api, `${layerPath({ docId })}/events`)
  await stopping.close()
  t.equal(await reader.next(), undefined)
  const { retryMs = 0 } = reader
  t.ok(retryMs >= 500 && retryMs <= 2500, 'and tells them to come back, each at another time')
})
