// Whatever a reader sends, with a token or by a link, in any number: what is stored grows by at most a constant.
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { capabilities } from '../../../workers/contract/capabilities.js'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { layerPath } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { everyRequest, namesOf, type SentRequest } from '../support/every-operation.js'
import { done, MovableClock, type Running, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

/** Counters in rows may get another digit, and a row that is renewed another time. */
const growthMax = 500
const steps = isLong ? 3000 : 80
const password = 'correct horse'

const rightsToChange = /modify|assemble|fill|redact|sign|import/
const scope = capabilities.filter((name) => !rightsToChange.test(name))
const types = opContracts.map(({ type }) => type)

const text = fc.oneof(
  fc.string(),
  fc.nat(20_000).map((length) => 'x'.repeat(length)),
)
const op = fc.oneof(
  fc.record({ type: fc.constantFrom(...types) }),
  fc.record({ type: text, page: fc.anything({ maxDepth: 2 }) }),
)
const entry = fc.oneof(
  fc.record({ opId: fc.stringMatching(/^[a-z]{1,20}$/), ops: fc.array(op, { maxLength: 8 }) }),
  fc.record({ opId: fc.stringMatching(/^[a-z]{1,20}$/), undoOf: fc.stringMatching(/^[a-z]{1,20}$/) }),
)
const body = fc.oneof(
  fc.record({ password: fc.constantFrom(password, 'wrong'), objectNumbers: fc.nat(100) }),
  fc.record({ url: fc.constantFrom('layers/default/render/pages/obj:3/data', 'nothing') }),
  fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }),
)
const step = fc.record({
  which: fc.nat(),
  who: fc.constantFrom('token' as const, 'visitor' as const),
  docId: fc.constantFrom('plain' as const, 'locked' as const),
  body,
  /** Of a change; null = the request has `body`. */
  changes: fc.option(fc.array(entry, { minLength: 1, maxLength: 16 }), { freq: 2 }),
  isMultipart: fc.boolean(),
  window: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

const documents = ['plain', 'locked'] as const
const still = { who: 'token', body: {}, changes: null, isMultipart: false, window: false } as const

const needsQpdf = needs('qpdf')
if (needsQpdf.skip) t.plan(0, needsQpdf.skip)
else await run()

interface Readers {
  readonly docId: Step['docId']
  readonly token: string
  readonly share: string
  readonly grant: unknown
}

async function run(): Promise<void> {
  const folder = scratchFolder(t, 'data')
  const clock = new MovableClock()
  const start = () => runServer(t, { folder, clock, settings: { logLevel: 'fatal' } })
  const plain = onePage('BT /F1 12 Tf 20 100 Td (Public) Tj ET', { resources: helvetica })
  const first = await start()
  await first.upload(plain, { docId: 'plain' })
  await first.upload(lockedPdf(t, plain, { user: password, owner: 'owner' }), { docId: 'locked' })
  const readers: Readers[] = []
  for (const docId of documents) {
    const token = await first.documentToken(docId, scope, { expiresIn: 86_400 })
    const request = { docId, scope, sessionTtlSeconds: 3600 }
    const share = done(await first.api.post('/v1/tenants/acme/shares', request)).word('/share/id')
    const access = { method: 'POST', json: { password } }
    const opened = done(await first.api.as(token).send(`${layerPath({ docId })}/access`, access))
    readers.push({ docId, token, share, grant: opened.at('/passwordGrant') })
  }

  t.test('any sequence of requests by readers stores at most a constant', async (t) => {
    const sample = fc.sample(step, { seed, numRuns: 2 * steps })
    await sendAll(first, readers, sample.slice(0, steps))
    await first.close()
    const before = await storedIn(folder)
    const second = await start()
    const seen = await sendAll(second, readers, sample.slice(steps))
    await second.close()
    const after = await storedIn(folder)
    t.ok(seen.has(200) && seen.has(403), [...seen].join(' '))
    for (const kind of ['refusals', 'answer', 'audit', 'stored-by']) t.notOk(after.has(kind), kind)
    for (const [kind, bytes] of after) {
      const grown = bytes - (before.get(kind) ?? 0)
      t.ok(grown <= growthMax, `${kind}: ${grown} bytes more after ${steps} requests`)
    }
  })
}

/** Sends every request once, opens more windows than a token may have, and sends the steps. Returns the statuses. */
async function sendAll({ api }: Running, readers: readonly Readers[], steps: readonly Step[]) {
  const seen = new Set<number>()
  for (const { docId, token, share, grant } of readers) {
    const all = everyRequest(namesOf(docId)).filter(({ operation }) => operation.plane === 'document')
    const changing = all.findIndex(({ operation }) => operation.name === 'doc.changes')
    const opening = all.findIndex(({ operation }) => operation.name === 'doc.access')
    const whole = all.map((_, which): Step => ({ ...still, which, docId }))
    const windows = Array.from({ length: 20 }, (): Step => ({ ...still, which: opening, docId, window: true }))
    for (const one of [...whole, ...windows, ...steps.filter((one) => one.docId === docId)]) {
      const request = all[one.changes === null ? one.which % all.length : changing]
      const client = api.as(one.who === 'token' ? token : await visiting(api, share))
      if (request) seen.add(await sendOne(client, request, one, grant))
    }
  }
  return seen
}

async function visiting(api: Client, shareToken: string): Promise<string> {
  const exchange = await api.as(undefined).post('/v1/share-sessions', { shareToken }, { origin: 'https://a.test' })
  return done(exchange).word('/token')
}

async function sendOne(
  client: Client,
  { operation: { method, name }, path }: SentRequest,
  { body, changes, isMultipart, window }: Step,
  grant: unknown,
): Promise<number> {
  const headers = {
    'idempotency-key': randomBytes(8).toString('hex'),
    origin: 'https://a.test',
    ...(window ? { 'x-engine-session-id': randomBytes(20).toString('hex') } : {}),
  }
  if (method === 'GET') return (await client.send(path, { headers })).status
  const json =
    name === 'doc.access' && typeof grant === 'string' ? { passwordGrant: grant } : changes ? { changes } : body
  if (!isMultipart) return (await client.send(path, { method, headers, json })).status
  const form = new FormData()
  form.set('body', JSON.stringify(json))
  form.set('resource:k', new Blob([randomBytes(20_000)]), 'k.bin')
  return (await client.send(path, { method, headers, body: form })).status
}

/** Bytes of rows by kind, and of files. */
async function storedIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>()
  const add = (kind: string, more: number) => bytes.set(kind, (bytes.get(kind) ?? 0) + more)
  const storage = await openScene(folder)
  for await (const { key, value } of storage.store.range({ from: Uint8Array.of(0), to: Uint8Array.of(0xff) })) {
    add(Buffer.from(key).subarray(1).toString('latin1').split('\0')[0] ?? '', key.length + value.length)
  }
  await storage.close()
  for (const part of ['blobs', 'workshop']) {
    for (const name of readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(folder, part, name))
      if (found.isFile()) add(part, found.size)
    }
  }
  return bytes
}
