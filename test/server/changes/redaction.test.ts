// After a redaction, removed content is absent from rows, blobs, replays and undos.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { change, layerPath, outcomes } from './support/changing.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api } = server
const docId = await server.upload(onePage('BT /F1 12 Tf 20 100 Td (Public) Tj ET', { resources: helvetica }))
const layer = { docId }
const path = layerPath(layer)
const page = { kind: 'objectNumber', objectNumber: 3 }
const secret = 'Secret-4471'

const square = (contents: string, subtype = 'square') => ({
  type: 'annotations.create',
  page,
  data: { subtype, rect: { x: 10, y: 90, width: 100, height: 30 }, contents },
})
const large = ['x', 'y', 'z'].map((key) => ({ type: 'metadata.updateCustom', patch: { [key]: key.repeat(30_000) } }))
const before = [
  { opId: 'secret', ops: [square(secret)] },
  { opId: 'large', ops: large },
  { opId: 'refused', ops: [{ type: 'metadata.update', patch: {}, expect: { title: secret } }] },
]

await change(api, layer, ...before)
await change(api, { docId, layerName: 'other' }, ...before)
await change(api, layer, { opId: 'mark', ops: [square('', 'redact')] })
const packs = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('change-'))
const packsBefore = packs().length
const redacted = await api.post(`${path}/redactions/apply`, { pages: [page] }, { 'idempotency-key': 'redact' })

t.test('a redaction is applied once, replayed, and ends the undo history', async (t) => {
  t.equal(redacted.status, 200, redacted.text)
  const again = await api.post(`${path}/redactions/apply`, { pages: [page] }, { 'idempotency-key': 'redact' })
  t.equal(again.text, redacted.text)
  const undo = await change(api, layer, { opId: 'u1', undoOf: 'redact' }, { opId: 'u2', undoOf: 'secret' })
  t.same(outcomes(undo), ['UndoUnavailable', 'UndoUnavailable'])
  t.same(undo.at('/changes/1/error/details'), { reason: 'final-change' })
})

t.test('replays of earlier changes report only that they were applied, and refusals are forgotten', async (t) => {
  const [refused] = before.slice(-1)
  if (!refused) throw new Error('unreachable')
  const evaluated = await change(api, layer, refused)
  t.same(outcomes(evaluated), ['ChangeConflict'])
  t.notOk(evaluated.headers.has('idempotency-replayed'))
  const again = await change(api, layer, ...before.slice(0, -1))
  t.same(outcomes(again), ['applied', 'applied'])
  t.match(again.at('/changes/0/result'), { items: { length: 0 }, meta: { opId: 'secret', undoable: false } })
  t.notMatch(again.text, secret)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = [{ opId: 'secret', ops: [square('another')] }]
  t.same(outcomes(await change(api, layer, ...other)), ['IdempotencyKeyReused'], 'their hashes stay')
})

t.test('the layer can be edited further, over its private base', async (t) => {
  t.same(outcomes(await change(api, layer, { opId: 'later', ops: [square('later')] })), ['applied'])
  t.same(outcomes(await change(api, layer, { opId: 'unlater', undoOf: 'later' })), ['applied'])
  const file = done(await api.get(`${path}/download`))
  t.notOk(file.bytes.includes(secret))
})

t.test('other layers are unchanged', async (t) => {
  const again = await change(api, { docId, layerName: 'other' }, ...before)
  t.match(again.text, secret)
})

t.test('the files of the store no longer contain earlier values', async (t) => {
  const other = await server.upload(onePage('BT /F1 12 Tf 20 100 Td (Public) Tj ET', { resources: helvetica }))
  const word = randomBytes(12).toString('hex')
  const files = () => readdirSync(join(folder, 'store')).map((name) => readFileSync(join(folder, 'store', name)))
  // Rows contain base64, in which a word has three spellings, depending on its offset.
  const looks = ['', ' ', '  '].map((before) => Buffer.from(`${before}${word}`).toString('base64').slice(4, -4))
  const isThere = () => files().some((bytes) => [word, ...looks].some((look) => bytes.includes(look)))
  await change(
    api,
    { docId: other },
    { opId: 'word', ops: [square(word)] },
    { opId: 'mark', ops: [square('', 'redact')] },
  )
  t.ok(isThere())
  done(await api.post(`${layerPath({ docId: other })}/redactions/apply`, { pages: [page] }))
  await server.close()
  t.notOk(isThere())
})

t.test('removed content is in no row or blob of the layer', async (t) => {
  t.ok(packsBefore > packs().length, 'blobs went')
  const storage = await openScene(folder)
  const owner = await storage.tables.documentIds.get([docId])
  const { tenant, document } = Object(owner)
  for await (const { row } of storage.tables.audits.range([tenant, document])) {
    const isEarlier = row.layerName === 'default' && ['secret', 'large', 'mark'].includes(row.opId)
    t.equal(row.content === null, isEarlier, `${row.layerName} ${row.opId}`)
  }
  for await (const { key } of storage.tables.withholdings.range([])) t.fail(`${key.join('/')} is still being erased`)
  await storage.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})
