// Object numbers are shared by all layers of a document: neither a layer, nor a caller in it, may use them up.
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { cancel, field, prepare } from '../signatures/support/signing.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes, titled } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const bounds: { numbersOfLayerMax: number; numbersOfCallerMax: number; countedNumbersMin: number } = limits as never
Object.assign(bounds, { numbersOfLayerMax: 1000, numbersOfCallerMax: 500 })

/** A page that names so many further objects. */
function manyObjects(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => 5 + index)
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/PieceInfo<</X<</Private[${numbers.map((one) => `${one} 0 R`).join(' ')}]>>>>>>`,
    ...Object.fromEntries(numbers.map((number) => [number, '<<>>'])),
  })
}
const insert = (client: Client, docId: string, layerName: string, count: number): Promise<Answer> =>
  client.sendFile(`${layerPath({ docId, layerName })}/pages/insert`, manyObjects(count))
const scope = ['doc.open', 'doc.pages.assemble', 'doc.annotate.modify']
const caller = async (docId: string, layerName: string, sub: string) =>
  api.as(await server.documentToken(docId, scope, { layerName, sub }))
/** The first number that a reservation is given: it grows with every number that is taken. */
const nextNumber = async (docId: string) => {
  const answer = await api.post(`${layerPath({ docId, layerName: 'probe' })}/object-numbers`, { count: 1 }).then(done)
  return Number(answer.at('/objectNumbers/0/first') ?? answer.at('/objectNumbers/0'))
}
const isFull = (answer: Answer) => answer.status === 409 && answer.code === 'LayerFull'

t.test('a caller takes so many in a layer, whatever the requests; others and other layers go on', async (t) => {
  const docId = await server.upload(manyObjects(1))
  const [mallory, ada] = [await caller(docId, 'scratch', 'mallory'), await caller(docId, 'scratch', 'ada')]
  t.equal((await insert(mallory, docId, 'scratch', 200)).status, 200)
  t.equal((await insert(mallory, docId, 'scratch', 200)).status, 200)
  const before = await nextNumber(docId)
  const refused = await insert(mallory, docId, 'scratch', 200)
  t.ok(isFull(refused), refused.text)
  t.match(refused.at('/details'), { numbersLeft: Number })
  t.equal(await nextNumber(docId), before + 1, 'a refused change takes none')
  t.same(outcomes(await change(api, { docId, layerName: 'scratch' }, { opId: 'a', ops: [titled('x')] })), ['applied'])
  t.equal((await insert(ada, docId, 'scratch', 200)).status, 200, 'another caller')
  t.equal((await insert(await caller(docId, 'other', 'mallory'), docId, 'other', 200)).status, 200, 'another layer')
})

t.test('a layer takes so many, whoever asks; the other layers go on', async (t) => {
  const docId = await server.upload(manyObjects(1))
  for (const sub of ['one', 'two']) {
    t.equal((await insert(await caller(docId, 'scratch', sub), docId, 'scratch', 480)).status, 200)
  }
  for (const client of [await caller(docId, 'scratch', 'three'), api]) {
    const refused = await insert(client, docId, 'scratch', 60)
    t.ok(isFull(refused), refused.text)
  }
  const ada = await caller(docId, 'default', 'ada')
  t.equal((await ada.post(`${layerPath({ docId })}/object-numbers`, { count: 1 })).status, 200)
  t.equal((await insert(ada, docId, 'default', 200)).status, 200)
})

t.test('a single request is stopped before it has copied more than the layer may take', async (t) => {
  const docId = await server.upload(manyObjects(1))
  const before = await nextNumber(docId)
  t.ok(isFull(await insert(api, docId, 'default', 1500)))
  t.equal(await nextNumber(docId), before + 1)
  t.equal((await insert(api, docId, 'default', 900)).status, 200, 'the operator has the share of the layer')
})

t.test('signings and moves take numbers of their layer, too', async (t) => {
  const docId = await server.upload(manyObjects(1))
  const client = { api, docId, layerName: 'signing' }
  Object.assign(bounds, { numbersOfLayerMax: 40 })
  t.teardown(() => Object.assign(bounds, { numbersOfLayerMax: 1000 }))
  const before = await nextNumber(docId)
  let refused: Answer | undefined
  for (let signing = 0; refused === undefined && signing < 40; signing++) {
    const prepared = await prepare(client, field(`field ${signing}`))
    if (prepared.status === 200) done(await cancel(client, prepared))
    else refused = prepared
  }
  t.ok(refused && isFull(refused), refused?.text ?? 'prepared for ever')
  t.ok((await nextNumber(docId)) - before < 60)
  t.equal((await prepare({ ...client, layerName: 'other' }, field('one'))).status, 200, 'another layer')
})

t.test('all sessions of a share take so many together', async (t) => {
  const docId = await server.upload(manyObjects(1))
  const origin = { origin: 'https://app.example.com' }
  const shareToken = (await api.post('/v1/tenants/acme/shares', { docId, scope }).then(done)).word('/share/id')
  const visit = async () =>
    api.as((await api.as(undefined).post('/v1/share-sessions', { shareToken }, origin).then(done)).word('/token'))
  t.equal((await insert(await visit(), docId, 'default', 300)).status, 200)
  t.ok(isFull(await insert(await visit(), docId, 'default', 300)))
  t.equal((await insert(await visit(), docId, 'default', 150)).status, 200)
})
