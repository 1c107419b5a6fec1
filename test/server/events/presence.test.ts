// Readers of a layer learn who else reads it: names, comings and goings, and nothing to those who may not know.
import t, { type Test } from 'tap'
import { PresenceEvent } from '../../../server/schemas/events.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { titled } from '../changes/support/changing.js'
import { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api, url } = server
const pdf = formPdf()
const layerOf = (docId: string, layer = 'default') => `/v1/docs/${docId}/layers/${layer}`

interface Reading {
  readonly layer: string
  readonly client?: Client
  readonly query?: string
}

async function read(t: Test, { layer, client = api, query = '?presence=true' }: Reading) {
  const reader = await EventReader.open(client, `${layer}/events${query}`)
  t.teardown(() => reader.close())
  return reader
}

const asPerson = async (docId: string, displayName: string, more: object = {}) =>
  new Client(
    url,
    await server.documentToken(docId, ['doc.open', 'doc.annotate.read'], { sub: displayName, displayName, ...more }),
  )

const validator = strictly(PresenceEvent)()

/** Returns what the reader is told next about readers. */
async function nextNews(reader: EventReader): Promise<PresenceEvent> {
  for (;;) {
    const [event] = await reader.take(1)
    if (event?.event !== 'presence') continue
    const data: unknown = event.data
    if (!validator.Check(data)) throw new Error(JSON.stringify(data))
    return data as PresenceEvent
  }
}

/** Reads on until the readers have these names, in any order. */
async function awaitNames(reader: EventReader, wanted: readonly (string | null)[]): Promise<PresenceEvent> {
  for (;;) {
    const news = await nextNews(reader)
    const names = news.readers.map(({ displayName }) => displayName)
    if (names.toSorted().join() === wanted.toSorted().join()) return news
  }
}

t.test('readers are told who comes and goes, and who they are themselves', async (t) => {
  const layer = layerOf(await server.upload(pdf))
  const [docId = ''] = layer.split('/').slice(3)
  const ada = await read(t, { layer, client: await asPerson(docId, 'Ada') })
  const alone = await awaitNames(ada, ['Ada'])
  t.equal(alone.readers[0]?.id, alone.self)
  t.equal(alone.count, 1)
  const grace = await read(t, { layer, client: await asPerson(docId, 'Grace') })
  const both = await awaitNames(ada, ['Ada', 'Grace'])
  t.equal(both.self, alone.self, 'a reader keeps its id')
  t.same(
    both.readers.map(({ sub }) => sub),
    ['Ada', 'Grace'],
  )
  t.not((await awaitNames(grace, ['Ada', 'Grace'])).self, both.self)
  await grace.close()
  await awaitNames(ada, ['Ada'])
})

t.test('who loses the connection and returns was never away', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const ada = await read(t, { layer, client: await asPerson(docId, 'Ada') })
  const grace = await asPerson(docId, 'Grace')
  const first = await read(t, { layer, client: grace })
  await awaitNames(ada, ['Ada', 'Grace'])
  await first.close()
  await read(t, { layer, client: grace })
  await read(t, { layer, client: await asPerson(docId, 'Alan') })
  const seen: number[] = []
  for (;;) {
    const { readers } = await nextNews(ada)
    seen.push(readers.length)
    if (readers.some(({ displayName }) => displayName === 'Alan')) break
  }
  t.notOk(seen.includes(1), 'Ada was never alone')
})

/** Returns a function that opens a session of a share of the document. */
async function visitorsOf(docId: string): Promise<() => Promise<Client>> {
  const scope = ['doc.open', 'doc.annotate.read']
  const shareToken = done(await api.post('/v1/tenants/acme/shares', { docId, scope })).word('/share/id')
  return async () => {
    const session = await api.as(undefined).post('/v1/share-sessions', { shareToken }, { origin: url })
    return new Client(url, done(session).word('/token'))
  }
}

async function readIn(t: Test, window: string, { layer, client = api }: Reading) {
  const headers = { 'x-engine-session-id': window }
  const reader = await EventReader.open(client, `${layer}/events?presence=true`, headers)
  t.teardown(() => reader.close())
  return reader
}

t.test('a person with several windows is one reader, each window of a visitor is one', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const ada = await asPerson(docId, 'Ada')
  const first = await readIn(t, 'window-1', { layer, client: ada })
  await readIn(t, 'window-2', { layer, client: ada })
  t.equal((await awaitNames(first, ['Ada'])).count, 1)
  const client = await (await visitorsOf(docId))()
  const visitor = await readIn(t, 'window-1', { layer, client })
  await awaitNames(first, ['Ada', null])
  await visitor.close()
  await awaitNames(await readIn(t, 'window-1', { layer, client }), ['Ada', null])
  await readIn(t, 'window-2', { layer, client })
  t.equal((await awaitNames(first, ['Ada', null, null])).count, 3)
})

t.test('nobody hides behind the window of another reader', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const visit = await visitorsOf(docId)
  const watching = await readIn(t, 'window-1', { layer, client: await visit() })
  t.equal((await awaitNames(watching, [null])).count, 1)
  const hidden = await readIn(t, 'window-1', { layer, client: await visit() })
  const both = await awaitNames(watching, [null, null])
  t.equal(new Set(both.readers.map(({ sub }) => sub)).size, 2)
  t.not((await awaitNames(hidden, [null, null])).self, both.self)
})

t.test('people who share a subject are readers of their own, as is the API token', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const team = (displayName: string, sub = 'team') => asPerson(docId, displayName, { sub, userId: displayName })
  const ada = await readIn(t, 'window', { layer, client: await team('Ada') })
  await readIn(t, 'window', { layer, client: await team('Grace') })
  t.equal((await awaitNames(ada, ['Ada', 'Grace'])).count, 2)
  await readIn(t, 'window', { layer })
  await readIn(t, 'window', { layer, client: await asPerson(docId, 'Mallory', { sub: 'api' }) })
  t.equal((await awaitNames(ada, ['Ada', 'Grace', 'Mallory', null])).count, 4)
})

t.test('visitors without a name are counted, and the API token has its own', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const token = await server.documentToken(docId, ['doc.open', 'doc.annotate.read'], { sub: 'somebody' })
  const operator = await read(t, { layer })
  await read(t, { layer, client: new Client(url, token) })
  const { readers } = await awaitNames(operator, [null, null])
  t.same(readers.map(({ sub }) => sub).toSorted(), ['api', 'somebody'])
})

t.test('other layers and documents, and readers who did not ask, are not there', async (t) => {
  const [docId, otherId] = [await server.upload(pdf), await server.upload(pdf)]
  const others = [
    { layer: layerOf(docId, 'other'), client: await asPerson(docId, 'Other layer', { layerName: 'other' }) },
    { layer: layerOf(otherId), client: await asPerson(otherId, 'Other document') },
    { layer: layerOf(docId), client: await asPerson(docId, 'Silent'), query: '' },
    { layer: layerOf(docId), client: await asPerson(docId, 'Silent too'), query: '?presence=false' },
  ]
  const readers = await Promise.all(others.map((other) => read(t, other)))
  const ada = await read(t, { layer: layerOf(docId), client: await asPerson(docId, 'Ada') })
  await awaitNames(ada, ['Ada'])
  await read(t, { layer: layerOf(docId), client: await asPerson(docId, 'Grace') })
  t.same((await awaitNames(ada, ['Ada', 'Grace'])).count, 2)
  done(await api.post(`${layerOf(docId)}/changes`, { changes: [{ opId: 'one', ops: [titled('New')] }] }))
  t.equal((await readers[2]?.take(1))?.[0]?.event, 'mutation', 'who did not ask is told changes only')
})

t.test('who may not read annotations, and so no names, is refused', async (t) => {
  const docId = await server.upload(pdf)
  const client = new Client(url, await server.documentToken(docId, ['doc.open']))
  t.equal((await EventReader.open(client, `${layerOf(docId)}/events?presence=true`)).status, 403)
  t.equal((await read(t, { layer: layerOf(docId), client, query: '' })).status, 200)
  t.equal((await EventReader.open(api, `${layerOf(docId)}/events?presence=perhaps`)).status, 400)
})

t.test('a crowd is counted, and its first are named', async (t) => {
  const docId = await server.upload(pdf)
  const layer = layerOf(docId)
  const watching = await read(t, { layer })
  for (let number = 0; number < 60; number++) await read(t, { layer, client: await asPerson(docId, `Crowd ${number}`) })
  for (;;) {
    const { readers, count } = await nextNews(watching)
    t.ok(readers.length <= 50)
    if (count < 61) continue
    t.equal(readers.length, 50)
    break
  }
})
