// Refused changes are remembered in bounded space per layer and credential, without the text that was sent, and are judged
// again once they were forgotten.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
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
const server = await runServer(t, { folder })
const { api } = server
const newLayer = async (): Promise<Layer> => ({ docId: await server.upload(onePage('0 0 100 100 re f')) })
const used = async () => Number(done(await api.get('/v1/tenants/acme/usage')).at('/metrics/storage.bytes'))
const { refusalsMax, refusalsBytesMax } = limits

const unknown = (opId: string, type = 'no.such.op') => ({ opId, ops: [{ type }] })
const entries = (count: number, type?: string) =>
  Array.from({ length: count }, (_, index) => unknown(`${type?.slice(0, 8) ?? 'op'}-${index}`, type))

t.test(
  'a refusal is replayed with the texts of the first answer, which quote a bounded part of the request',
  async (t) => {
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
    const again = await change(api, layer, ...refused)
    t.equal(again.text, first.text)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    const files = readdirSync(join(folder, 'store')).map((name) => readFileSync(join(folder, 'store', name), 'latin1'))
    const looks = ['', ' ', '  '].map((shift) =>
      Buffer.from(shift + word.slice(1000, 1100))
        .toString('base64')
        .slice(4, 90),
    )
    for (const text of [word.slice(1000, 1100), ...looks]) t.notOk(files.some((file) => file.includes(text)))
  },
)

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
  t.ok(grown > 0 && grown <= refusalsBytesMax + 1000, `${grown} bytes`)
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
  t.ok(grown > 0 && grown <= refusalsBytesMax + 1000, `${grown} bytes`)
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
