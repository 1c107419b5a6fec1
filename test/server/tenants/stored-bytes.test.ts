// The byte count of a tenant equals the bytes of its documents in rows and files, after concurrent changes, undos, refusals,
// redactions, signings, moves, deletions and kills of the server.
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import type { Finding } from '../../../server/check/findings.js'
import { limits } from '../../../server/limits.js'
import type { Storage } from '../../../server/storage/open-storage.js'
import { allRowKinds } from '../../../server/storage/row-kinds.js'
import { shardOf } from '../../../server/storage/shards.js'
import { transact } from '../../../server/storage/transaction.js'
import type { RedactedLayer } from '../../../server/withholding/withhold.js'
import { Withholdings } from '../../../server/withholding/withholdings.js'
import { annotationKey } from '../../../workers/contract/annotation-ref.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { change, changesIn, layerPath, outcomes } from '../changes/support/changing.js'
import { spawnServer } from '../crash/held-server.js'
import { tidy } from '../crash/tidy.js'
import { cancel, complete, field, prepare } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, makers } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const tenantId = 'acme'
const pdf = onePage('0 0 100 100 re f')
const page = { kind: 'objectNumber', objectNumber: 3 }
const documents = ['one', 'two'] as const
const layers = ['default', 'draft'] as const
/** Sizes of values that are stored in a row, in one pack, and in several packs. */
const sizes = [40, 3_000, 90_000] as const

const place = { docId: fc.constantFrom(...documents), layerName: fc.constantFrom(...layers) }
const size = fc.constantFrom(...sizes)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), ...place, size }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refused' as const), ...place, size }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redact' as const), ...place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sign' as const), ...place, isGivenUp: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('many' as const), size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), docId: place.docId }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

interface Layer {
  readonly docId: string
  readonly layerName: string
}

const folder = scratchFolder(t, 'data')
let server = await spawnServer(folder)
t.teardown(() => server.end('SIGKILL'))
let names = 0
const named = () => `op-${++names}`

const usedBy = async (api: Client) =>
  Number(done(await api.get(`/v1/tenants/${tenantId}/usage`)).at('/metrics/storage.bytes'))

t.test('after any requests, the counters equal the stored bytes', async (t) => {
  await makers(server.api).upload(pdf, { docId: 'one' })
  await makers(server.api).upload(pdf, { docId: 'two' })
  t.equal(await usedBy(server.api), 2 * pdf.length, 'an intact file counts with its uploaded size')
  const made: (Layer & { readonly opId: string })[] = []
  const steps: readonly Step[] = fc.sample(step, { seed, numRuns: isLong ? 400 : 10 })
  // Every kind of request occurs at least once, whatever the random sample.
  const always: readonly Step[] = [
    { do: 'change', docId: 'one', layerName: 'default', size: 90_000 },
    { do: 'redact', docId: 'one', layerName: 'default' },
    { do: 'change', docId: 'two', layerName: 'default', size: 3_000 },
    { do: 'sign', docId: 'two', layerName: 'draft', isGivenUp: true },
    { do: 'sign', docId: 'two', layerName: 'draft', isGivenUp: false },
    { do: 'change', docId: 'two', layerName: 'default', size: 90_000 },
    { do: 'kill' },
    { do: 'refused', docId: 'two', layerName: 'draft', size: 90_000 },
    { do: 'many', size: 3_000 },
  ]
  for (const one of [...steps, ...always]) await take(one, made)
  await compare(t)
  // The next comparisons are without its signed version.
  await take({ do: 'delete', docId: 'two' }, made)
})

t.test('added content is counted, until it is redacted or deleted', async (t) => {
  const { api } = server
  const start = await usedBy(api)
  const layer = { docId: 'attached', layerName: 'default' }
  await makers(api).upload(pdf, layer)
  const body = new FormData()
  body.set('body', JSON.stringify({ subtype: 'file-attachment', rect: box, resources: { file: 'art' } }))
  body.set('resource:art', new Blob([randomBytes(200_000)], { type: 'application/pdf' }), 'art.bin')
  const items = `${layerPath(layer)}/annotations/pages/obj:3/items`
  const ref = done(await api.send(items, { method: 'POST', body })).at('/annotation/ref')
  const edited = await usedBy(api)
  t.ok(edited >= start + pdf.length + 200_000, `${edited - start} bytes of the document`)
  done(await api.send(`${items}/${annotationKey(Object(ref))}`, { method: 'DELETE' }))
  t.ok((await usedBy(api)) > edited, 'deleted annotations can be restored by undo')
  await redact(layer)
  await compare(t)
  const redacted = await usedBy(server.api)
  t.ok(redacted < edited - 190_000, `${redacted - start} bytes after the redaction`)
  done(await server.api.send(`/v1/tenants/${tenantId}/documents/attached`, { method: 'DELETE' }))
  t.equal(await usedBy(server.api), start)
})

t.test('a document of an earlier release counts with the size of its versions until it is changed', async (t) => {
  const [now, docId] = [await usedBy(server.api), 'earlier']
  await makers(server.api).upload(pdf, { docId })
  const layer = { docId, layerName: 'default' }
  await change(server.api, layer, { opId: named(), ops: custom(3_000) })
  const counted = (await usedBy(server.api)) - now
  await server.end('SIGTERM')
  await forgetTotal(docId, counted - pdf.length)
  await settled(t)
  server = await spawnServer(folder)
  t.equal(await usedBy(server.api), now + pdf.length)
  await change(server.api, layer, { opId: named(), ops: custom(40) })
  t.ok((await usedBy(server.api)) > now + counted)
  await compare(t)
})

const box = { x: 10, y: 90, width: 100, height: 30 }
const textMax = 30_000
const custom = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / textMax) }, () => {
    const patch = { [named()]: 'x'.repeat(Math.min(bytes, textMax)) }
    return { type: 'metadata.updateCustom', patch }
  })

async function take(step: Step, made: (Layer & { readonly opId: string })[]): Promise<void> {
  const { api } = server
  if (step.do === 'kill') return killed()
  if (step.do === 'change') {
    const opId = named()
    const answer = await change(api, step, { opId, ops: custom(step.size) })
    if (outcomes(answer)[0] !== 'applied') throw new Error(answer.text)
    made.push({ ...step, opId })
  } else if (step.do === 'undo') {
    const one = made[step.which % Math.max(1, made.length)]
    // After a redaction, and in a document created again, there is nothing to undo.
    if (one) changesIn(await change(api, one, { opId: named(), undoOf: one.opId }))
  } else if (step.do === 'refused') {
    const refused = { type: 'metadata.update', patch: {}, expect: { title: 'x'.repeat(Math.min(step.size, textMax)) } }
    const answer = await change(api, step, { opId: named(), ops: [refused] })
    if (outcomes(answer)[0] !== 'ChangeConflict') throw new Error(answer.text)
  } else if (step.do === 'redact') {
    await redact(step)
  } else if (step.do === 'sign') {
    await signOrGiveUp(step)
  } else if (step.do === 'many') {
    const places = documents.flatMap((docId) => layers.map((layerName) => ({ docId, layerName })))
    const all = [...places, ...places].map((one) => change(api, one, { opId: named(), ops: custom(step.size) }))
    for (const answer of await Promise.all(all)) changesIn(answer)
  } else {
    done(await api.send(`/v1/tenants/${tenantId}/documents/${step.docId}`, { method: 'DELETE' }))
    await makers(api).upload(pdf, { docId: step.docId })
  }
}

async function redact(layer: Layer): Promise<void> {
  const mark = { type: 'annotations.create', page, data: { subtype: 'redact', rect: box } }
  await change(server.api, layer, { opId: named(), ops: [mark] })
  done(await server.api.post(`${layerPath(layer)}/redactions/apply`, { pages: [page] }))
}

async function signOrGiveUp({ isGivenUp, ...layer }: Layer & { readonly isGivenUp: boolean }): Promise<void> {
  const client = { api: server.api, ...layer }
  const prepared = await prepare(client, field(named()))
  // A layer that stays behind the newest version, or a redacted one of a signed version, cannot be signed.
  if (prepared.code === 'StaleBase') return
  done(prepared)
  done(await (isGivenUp ? cancel(client, prepared) : complete(client, prepared)))
}

/** Kills the server during a change, while the cleanup of earlier redactions and deletions may be running. */
async function killed(): Promise<void> {
  const layer = { docId: 'one', layerName: 'draft' }
  const pending = change(server.api, layer, { opId: named(), ops: custom(90_000) }).catch(() => undefined)
  await sleep(names % 40)
  await Promise.all([server.end('SIGKILL'), pending])
  server = await spawnServer(folder)
}

/** Stops the server and compares its counters with the stored bytes. */
async function compare(t: Test): Promise<void> {
  const used = await usedBy(server.api)
  await server.end('SIGKILL')
  const { counted, rows, files } = await settled(t)
  t.ok(counted <= used, 'content of a redaction is counted until it is erased')
  t.equal(counted, rows.content, 'the counter equals the content of the rows')
  t.equal(rows.pdfs, files.pdfs, 'files in rows equal the files on disk')
  t.ok(rows.packed <= files.packs, 'packed content fits into the packs on disk')
  server = await spawnServer(folder)
}

/** Copies the folder, and completes pending work like a server start. */
async function settled(t: Test) {
  const copy = join(scratchFolder(t), 'copy')
  cpSync(folder, copy, { recursive: true })
  const storage = await openScene(copy)
  const withholdings = new Withholdings({ storage, onFailure: (error) => t.fail(String(error)) })
  const layers: RedactedLayer[] = []
  for await (const { key } of storage.tables.withholdings.range([])) {
    layers.push({ tenant: key[0], document: key[1], layerName: key[2] })
  }
  for (const layer of layers) await withholdings.start(layer)
  await tidy(t, storage, systemClock)
  let counted = 0
  for await (const { row } of storage.tables.storage.range([])) counted += row.bytes
  const rows = await contentOf(storage)
  await storage.close()
  const report = ({ code, where, detail }: Finding) => t.fail(`${code} ${where}: ${detail}`)
  await checkStorage({ folder: copy, digest: digestHere, report })
  return { counted, rows, files: filesIn(join(copy, 'blobs')) }
}

/** Sums up raw rows: every content, every blob with a length that is not a pack, and what rows say of themselves. */
async function contentOf({ store }: Storage) {
  const sum = { content: 0, pdfs: 0, packed: 0 }
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { isSealed, at, name, sizeBytes, rowsBytes = 0, reserved = 0, metadataBytes = 0 } = Object(value)
    sum.content += rowsBytes + reserved + metadataBytes
    if (isSealed !== undefined) {
      sum.content += at.length ?? Buffer.from(at.inline, 'base64').length
      sum.packed += at.length ?? 0
    } else if (typeof name === 'string' && typeof sizeBytes === 'number') {
      sum.content += sizeBytes
      sum.pdfs += sizeBytes
    } else for (const member of Object.values(value)) add(member)
  }
  for (const kind of allRowKinds) {
    for await (const entry of store.range(kind.all)) {
      const row = Object(kind.open(entry)?.row)
      if (kind.name === 'audit' && !(row.rowsBytes > 0)) throw new Error(`The rows of a ${row.kind} are not counted`)
      if (kind.name === 'refusals') sum.content += row.changes.length * limits.refusalBytes
      // What was signed is the file of a version.
      add(kind.name === 'signing' ? row.section : row)
    }
  }
  return sum
}

function filesIn(folder: string) {
  const sum = { pdfs: 0, packs: 0 }
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (name.endsWith('.pdf')) sum.pdfs += statSync(join(folder, name)).size
    if (name.endsWith('.pack')) sum.packs += statSync(join(folder, name)).size
  }
  return sum
}

/** Converts the rows to those of an earlier release: without a total, and counted with the file only. */
async function forgetTotal(docId: string, uncounted: number): Promise<void> {
  const storage = await openScene(folder)
  const { tables } = storage
  const place = await tables.documentIds.get([docId])
  if (!place) throw new Error('The document does not exist')
  const { tenant, document } = place
  await transact(storage, async (transaction) => {
    const slot = tables.documents.at([tenant, document])
    const { storedBytes: _total, ...row } = Object(await transaction.read(slot))
    transaction.put(slot, row)
    const counter = tables.storage.at([tenant, shardOf(document)])
    const counted = await transaction.read(counter)
    transaction.put(counter, { bytes: (counted?.bytes ?? 0) - uncounted })
  })
  await storage.close()
}
