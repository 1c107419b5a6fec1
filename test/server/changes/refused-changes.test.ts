// Refused changes are remembered in bounded space per layer and credential, without the text that was sent, and are judged
// again once they were forgotten.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import type { Finding } from '../../../server/check/findings.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { limits } from '../../../server/limits.js'
import { rowKinds } from '../../../server/storage/row-kinds.js'
import { countStored } from '../../../server/storage/stored-bytes.js'
import { transact } from '../../../server/storage/transaction.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { tidy } from '../crash/tidy.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { clock, openScene } from '../support/scene.js'
import { change, type Layer, layerPath, outcomes, titled, titleOf } from './support/changing.js'

const folder = scratchFolder(t, 'data')
let server = await runServer(t, { folder })
let { api } = server
const newLayer = async (): Promise<Layer> => ({ docId: await server.upload(onePage('0 0 100 100 re f')) })
const used = async () => Number(done(await api.get('/v1/tenants/acme/usage')).at('/metrics/storage.bytes'))
const restart = async () => {
  await server.close()
  server = await runServer(t, { folder })
  api = server.api
}
const { refusalsMax, refusalBytes } = limits

const unknown = (opId: string, type = 'no.such.op') => ({ opId, ops: [{ type }] })
const entries = (count: number, type?: string) =>
  Array.from({ length: count }, (_, index) => unknown(`${type?.slice(0, 8) ?? 'op'}-${index}`, type))

t.test('a refusal is replayed with the texts of the first answer, of which nothing is stored', async (t) => {
  const layer = await newLayer()
  const word = randomBytes(50_000).toString('hex')
  const refused = [
    unknown('type', word),
    { opId: 'pointer', ops: [{ type: 'metadata.update', patch: { [word]: 1 } }] },
    { opId: 'undo', undoOf: 'nothing' },
  ]
  const first = await change(api, layer, ...refused)
  t.same(outcomes(first), ['InvalidArg', 'InvalidArg', 'NotFound'])
  t.ok(first.text.length < 3000, `${first.text.length} characters`)
  t.ok(first.text.includes(word.slice(0, 50)))
  const again = await change(api, layer, ...refused)
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.notOk(isStored(word.slice(0, 50)) || isStored(word.slice(1000, 1050)))
  t.ok(isStored(layer.docId), 'the log of the store was read')

  await restart()
  const later = await change(api, layer, ...refused)
  t.same(outcomes(later), outcomes(first), 'another process knows the codes')
  t.equal(later.headers.get('idempotency-replayed'), 'true')
  t.notMatch(later.text, word.slice(0, 50))
})

t.test(
  'a repeated refusal has the texts of its own document, whatever another one has under the same opId',
  async (t) => {
    const layers = [
      { layer: await newLayer(), has: { title: 'T' }, differs: 'author' },
      { layer: await newLayer(), has: { author: 'A' }, differs: 'title' },
    ]
    const expect = { title: 'T', author: 'A' }
    const believing = { opId: 'same', ops: [{ type: 'metadata.update', patch: { title: 'x' }, expect }] }
    const refused = ({ layer }: { readonly layer: Layer }) => change(api, layer, believing)
    for (const { layer, has } of layers) {
      await change(api, layer, { opId: 'first', ops: [{ type: 'metadata.update', patch: has }] })
    }
    const first: Awaited<ReturnType<typeof refused>>[] = []
    for (const one of layers) first.push(await refused(one))
    for (const [index, one] of layers.entries()) {
      const again = await refused(one)
      t.equal(again.headers.get('idempotency-replayed'), 'true')
      t.same(again.at('/changes/0/error/details/fields'), [one.differs])
      t.equal(again.text, first[index]?.text)
    }
  },
)

/** True if a file of the store has the text, as it is or in base64. */
function isStored(text: string): boolean {
  const files = readdirSync(join(folder, 'store')).map((name) => readFileSync(join(folder, 'store', name), 'latin1'))
  const looks = ['', ' ', '  '].map((shift) =>
    Buffer.from(shift + text)
      .toString('base64')
      .slice(4, -4),
  )
  return [text, ...looks].some((look) => files.some((file) => file.includes(look)))
}

t.test('a refusal writes a fraction of what the smallest change writes, however many came before', async (t) => {
  const layer = await newLayer()
  const written = async (work: () => Promise<unknown>) => {
    const before = sizeOfLog()
    await work()
    return sizeOfLog() - before
  }
  await change(api, layer, { opId: 'first', ops: [titled('First')] }, ...entries(refusalsMax))
  const applied = await written(async () => {
    for (let count = 0; count < 20; count++) await change(api, layer, { opId: `a${count}`, ops: [titled(`${count}`)] })
  })
  const refused = await written(async () => {
    for (let count = 0; count < 20; count++) await change(api, layer, unknown(`r${count}`, 'x'.repeat(5000)))
  })
  t.ok(refused > 0 && refused < applied / 2, `${refused} bytes of 20 refusals, ${applied} of 20 changes`)
})

const sizeOfLog = (): number =>
  readdirSync(join(folder, 'store'))
    .map((name) => statSync(join(folder, 'store', name)).size)
    .reduce((sum, size) => sum + size, 0)

t.test('another payload with the opId of a refused change is refused', async (t) => {
  const layer = await newLayer()
  await change(api, layer, unknown('one'))
  t.same(outcomes(await change(api, layer, { opId: 'one', ops: [titled('x')] })), ['IdempotencyKeyReused'])
})

t.test('any number of refused changes takes bounded space', async (t) => {
  const layer = await newLayer()
  const before = await used()
  for (const _ of [1, 2, 3]) {
    const answer = await change(api, layer, ...entries(64, randomBytes(10_000).toString('hex')))
    t.same(new Set(outcomes(answer)), new Set(['InvalidArg']))
  }
  const grown = (await used()) - before
  t.ok(grown > 0 && grown <= refusalsMax * refusalBytes, `${grown} bytes`)
})

t.test('the oldest refusal is forgotten first, and its change then judged again', async (t) => {
  const layer = await newLayer()
  const believing = { opId: 'believing', ops: [titled('Second', 'First')] }
  t.same(outcomes(await change(api, layer, believing)), ['ChangeConflict'])
  await change(api, layer, { opId: 'first', ops: [titled('First')] })
  t.same(outcomes(await change(api, layer, believing)), ['ChangeConflict'])
  await change(api, layer, ...entries(refusalsMax))
  t.same(outcomes(await change(api, layer, believing)), ['applied'])
  t.equal(await titleOf(api, layer), 'Second')
  t.same(outcomes(await change(api, layer, believing)), ['applied'])
})

t.test('all sessions of a share have one bound, and push out no refusal of others', async (t) => {
  const layer = await newLayer()
  await change(api, layer, unknown('mine'))
  const request = { docId: layer.docId, scope: ['doc.open', 'doc.metadata.modify'] }
  const shareToken = done(await api.post('/v1/tenants/acme/shares', request)).word('/share/id')
  const before = await used()
  for (let visitor = 0; visitor < 4; visitor++) {
    const opened = await api.as(undefined).post('/v1/share-sessions', { shareToken }, { origin: 'https://a.test' })
    const session = done(opened).word('/token')
    await change(api.as(session), layer, ...entries(64))
  }
  const grown = (await used()) - before
  t.ok(grown > 0 && grown <= refusalsMax * refusalBytes, `${grown} bytes`)
  await replaysMine(api, layer)
})

async function replaysMine(client: Client, layer: Layer): Promise<void> {
  const answer = await change(client, layer, unknown('mine'))
  t.equal(answer.headers.get('idempotency-replayed'), 'true', layerPath(layer))
}

t.test('refusals are forgotten after a time, and their bytes are counted no more', async (t) => {
  const layer = await newLayer()
  const before = await used()
  await change(api, layer, ...entries(10))
  t.ok((await used()) > before)
  await server.close()
  const storage = await openScene(folder)
  const later = { ...clock, now: () => Date.now() + limits.refusalsKeptMs + 1 }
  const failed = (error: unknown) => t.fail(String(error))
  await new Housekeeping({ storage, clock: later, onFailure: failed }).expire()
  for await (const { key } of storage.tables.refusals.range([])) t.fail(`${key.join('/')} is remembered`)
  await storage.close()
  const report = ({ code, where }: Finding) => t.fail(`${code} ${where}`)
  await checkStorage({ folder, digest: digestHere, report })
})

t.test('refusals that earlier releases stored for ever are removed, and their bytes are counted no more', async (t) => {
  const earlier = await runServer(t, { folder })
  const docId = await earlier.upload(onePage('0 0 100 100 re f'))
  await earlier.close()
  const storage = await openScene(folder)
  const { tables } = storage
  const owner = await tables.documentIds.get([docId])
  if (owner === undefined) throw new Error('unreachable')
  const { tenant, document } = owner
  await transact(storage, async (transaction) => {
    let bytes = 0
    for (let index = 0; index < 3; index++) {
      const content = { isSealed: false, at: { inline: randomBytes(30_000).toString('base64') } }
      const outcome = { status: 'refused', auditId: 0, code: 'InvalidArg', content } as const
      const row = { requestHash: 'x', outcome, at: 0 }
      transaction.put(tables.answers.at([tenant, document, 'default', 'api', `old-${index}`]), row)
      bytes += rowKinds.answers.storedBytes(row)
    }
    await countStored(tables, transaction, owner, bytes)
  })
  await tidy(t, storage, systemClock)
  for await (const { key } of tables.answers.range([tenant, document])) t.fail(`${key.join('/')} is stored`)
  t.equal((await tables.documents.get([tenant, document]))?.storedBytes, onePage('0 0 100 100 re f').length)
  await storage.close()
  const report = ({ code, where }: Finding) => t.fail(`${code} ${where}`)
  await checkStorage({ folder, digest: digestHere, report })
})
