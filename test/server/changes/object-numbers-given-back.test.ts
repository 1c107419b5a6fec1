// Reserved object numbers that are never used: they come back, and the visitors of a share cannot take all of them.
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { limits } from '../../../server/limits.js'
import { scratchFolder } from '../../cli/scratch.js'
import { numbered } from '../../support/pdf/form-pdf.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { cmsOver, complete, field, prepare } from '../signatures/support/signing.js'
import { Client } from '../support/client.js'
import { done, MovableClock, type Running, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { change, layerPath, outcomes } from './support/changing.js'

const pdf = onePage('0 0 100 100 re f')
const square = { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 } }
const hour = 60 * 60 * 1000

interface Range {
  readonly first: number
  readonly count: number
}

const reserving = (client: Client, docId: string, count: number) =>
  client.post(`${layerPath({ docId })}/object-numbers`, { count })

async function reserve(client: Client, docId: string, count: number): Promise<readonly number[]> {
  const ranges = (await reserving(client, docId, count).then(done)).at('/objectNumbers') as readonly Range[]
  return ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index))
}

const create = (objectNumber: number | undefined, opId = `create-${objectNumber}`) => ({
  opId,
  ops: [{ type: 'annotations.create', page: numbered(3), data: square, ...(objectNumber && { objectNumber }) }],
})

/** Sets limits until the end of the test. */
function limited(t: { teardown(work: () => void): void }, lower: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits }
  Object.assign(limits, lower)
  t.teardown(() => void Object.assign(limits, before))
}

async function visitorsOf({ api, url }: Running, docId: string): Promise<() => Promise<Client>> {
  const scope = ['doc.open', 'doc.annotate.modify']
  const shareToken = done(await api.post('/v1/tenants/acme/shares', { docId, scope })).word('/share/id')
  return async () => {
    const session = await api.as(undefined).post('/v1/share-sessions', { shareToken }, { origin: url })
    return new Client(url, done(session).word('/token'))
  }
}

/** Ends what is over by then in the data of a stopped server, and checks all of them. */
async function expire(folder: string, nowMs: number): Promise<void> {
  const storage = await openScene(folder)
  const onFailure = (error: unknown) => t.fail(String(error))
  const clock = { now: () => nowMs, sleep: async () => {} }
  const housekeeping = new Housekeeping({ storage, clock, onFailure })
  t.ok((await housekeeping.expire()) > 0)
  await housekeeping.stop()
  await storage.close()
  await checkStorage({ folder, digest: digestHere, report: ({ where, detail }) => t.fail(`${where}: ${detail}`) })
}

t.test('numbers that nobody used come back when their time is over, and only these', async (t) => {
  const folder = scratchFolder(t, 'data')
  const clock = new MovableClock()
  const before = await runServer(t, { folder, clock })
  const docId = await before.upload(pdf)
  const token = (sub: string) => before.documentToken(docId, ['*'], { sub, expiresIn: 60 * 60 * 24 * 7 })
  const tokens = { ada: await token('ada'), bob: await token('bob'), carol: await token('carol') }
  const clientsOf = ({ url }: Running) => ({
    ada: new Client(url, tokens.ada),
    bob: new Client(url, tokens.bob),
    carol: new Client(url, tokens.carol),
  })
  const early = clientsOf(before)
  const ofAda = await reserve(early.ada, docId, 100)
  const [, used = 0] = ofAda
  t.same(outcomes(await change(early.ada, { docId }, create(used))), ['applied'])
  clock.advance(20 * hour)
  const ofBob = await reserve(early.bob, docId, 10)
  clock.advance(5 * hour)
  await before.close()
  await expire(folder, clock.now())

  const { ada, bob, carol } = clientsOf(await runServer(t, { folder, clock }))
  const ofCarol = await reserve(carol, docId, 120)
  t.equal(new Set(ofCarol).size, 120)
  t.same(
    ofCarol.filter((number) => ofAda.includes(number)),
    ofAda.filter((number) => number !== used),
    'all that Ada left',
  )
  t.notOk(
    ofCarol.some((number) => ofBob.includes(number)),
    'none that Bob holds',
  )
  const [, second = 0] = ofCarol
  t.same(outcomes(await change(ada, { docId }, create(ofAda[0], 'late'))), ['ObjectNumberUnavailable'])
  t.same(outcomes(await change(bob, { docId }, create(ofBob[0]))), ['applied'])
  t.same(outcomes(await change(carol, { docId }, create(second))), ['applied'])
  t.notOk(
    (await reserve(ada, docId, 50)).some((number) => ofCarol.includes(number)),
    'each is given to one',
  )
})

t.test('on one server', async (t) => {
  const server = await runServer(t)
  const { api, clock } = server

  t.test('a caller gets its own again after its time, in place of new ones', async (t) => {
    const docId = await server.upload(pdf)
    const numbers = await reserve(api, docId, 40)
    clock.advance(25 * hour)
    t.same(await reserve(api, docId, 40), numbers)
  })

  t.test('those of an earlier version do not come back', async (t) => {
    const docId = await server.upload(pdf)
    const numbers = await reserve(api, docId, 40)
    const prepared = await prepare({ api, docId }, field('sign')).then(done)
    await complete({ api, docId }, prepared, { cms: cmsOver(prepared) }).then(done)
    t.notOk((await reserve(api, docId, 40)).some((number) => numbers.includes(number)))
  })

  t.test('changes need no number that can be reserved', async (t) => {
    const docId = await server.upload(pdf)
    const free = (await reserve(api, docId, 1))[0] ?? 0
    limited(t, { reservableNumberMax: free + 10 })
    const greedy = api.as(await server.documentToken(docId, ['*']))
    await reserve(greedy, docId, 10)
    t.same((await reserving(api, docId, 1)).code, 'LayerFull')
    for (const opId of ['one', 'two', 'three'])
      t.same(outcomes(await change(api, { docId }, create(undefined, opId))), ['applied'])
  })

  t.test('all sessions of a share hold so many together, and one more for each that they use', async (t) => {
    const docId = await server.upload(pdf)
    limited(t, { reservedNumbersOfShareMax: 30 })
    const visit = await visitorsOf(server, docId)
    const [one, two, three] = [await visit(), await visit(), await visit()]
    const ofOne = await reserve(one, docId, 20)
    await reserve(two, docId, 10)
    const refused = await reserving(three, docId, 1)
    t.same([refused.status, refused.code], [409, 'LayerFull'])
    const access = await three.post(`${layerPath({ docId })}/access`, { objectNumbers: 8 }).then(done)
    t.equal(access.at('/edit'), undefined, 'the document is opened all the same')
    t.same(outcomes(await change(three, { docId }, create(undefined, 'unnumbered'))), ['applied'])
    t.equal((await reserve(api, docId, 100)).length, 100, 'others are not affected')
    t.equal((await reserve(await (await visitorsOf(server, docId))(), docId, 5)).length, 5, 'nor is another share')
    t.same(outcomes(await change(one, { docId }, create(ofOne[0]))), ['applied'])
    t.equal((await reserve(three, docId, 1)).length, 1)
    t.equal((await reserving(three, docId, 1)).code, 'LayerFull')
  })
})

t.test('a share may take numbers again when its sessions are over', async (t) => {
  const folder = scratchFolder(t, 'data')
  const clock = new MovableClock()
  limited(t, { reservedNumbersOfShareMax: 30 })
  const before = await runServer(t, { folder, clock })
  const docId = await before.upload(pdf)
  const visit = await visitorsOf(before, docId)
  const numbers = await reserve(await visit(), docId, 30)
  clock.advance(10 * hour)
  const late = await visit()
  t.equal((await reserving(late, docId, 1)).code, 'LayerFull')
  const shares = (await before.api.get('/v1/tenants/acme/shares').then(done)).word('/shares/0/id')
  clock.advance(15 * hour)
  await before.close()
  await expire(folder, clock.now())
  const after = await runServer(t, { folder, clock })
  const session = await after.api
    .as(undefined)
    .post('/v1/share-sessions', { shareToken: shares }, { origin: after.url })
    .then(done)
  const visitor = new Client(after.url, session.word('/token'))
  t.same(await reserve(visitor, docId, 30), numbers, 'the same ones')
  t.equal((await reserving(visitor, docId, 1)).code, 'LayerFull')
})
