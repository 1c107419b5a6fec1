// Tenants, shares and document tokens store up to their bounds, and are told when they are full; others go on. Announced
// uploads count, and everything counted is what `--check` finds.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { limits } from '../../../server/limits.js'
import { transact } from '../../../server/storage/transaction.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import type { Answer, Client } from '../support/client.js'
import { done, type Running, type RunningOptions, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { commit, documents, requestFor, sha256Of } from '../support/uploads.js'

const pdf = onePage('0 0 100 100 re f')
const tenantBytesMax = 500_000
const run = (settings: RunningOptions['settings'] = {}) =>
  runServer(t, { folder: scratchFolder(t, 'data'), settings: { tenantBytesMax, ...settings } })

const used = async ({ api }: Running, tenantId = 'acme') =>
  Number(done(await api.get(`/v1/tenants/${tenantId}/usage`)).at('/metrics/storage.bytes'))
const announce = ({ api }: Running, bytes: number, tenantId = 'acme') =>
  api.post(`/v1/tenants/${tenantId}/documents/init`, { contentLength: bytes, contentSha256: 'a'.repeat(64) })

function attach(client: Client, docId: string, bytes: number): Promise<Answer> {
  const body = new FormData()
  const annotation = { subtype: 'file-attachment', rect: { x: 1, y: 1, width: 9, height: 9 } }
  body.set('body', JSON.stringify({ ...annotation, resources: { file: 'art' } }))
  body.set('resource:art', new Blob([randomBytes(bytes)]), 'art.bin')
  return client.send(`${layerPath({ docId })}/annotations/pages/obj:3/items`, { method: 'POST', body })
}

function isFull(t: Pick<typeof import('tap').t, 'equal' | 'ok'>, answer: Answer, limit: string, max: number): void {
  t.equal(`${answer.status} ${answer.code}`, '413 PayloadTooLarge', answer.text)
  // Errors of the tenants' API have their details beside the code.
  const details = Object(answer.at('/error/details') ?? answer.at('/error'))
  t.equal(details.limit, limit)
  t.equal(details.max, max)
  t.ok(details.value > max)
}

t.test('a full tenant is refused edits and uploads, until it has room again', async (t) => {
  const server = await run()
  const { api } = server
  const [docId, other] = [await server.upload(pdf), await server.upload(pdf, { tenantId: 'other' })]
  const spare = await server.upload(pdf)
  done(await attach(api, spare, 300_000))
  isFull(t, await attach(api, docId, 300_000), 'tenantBytesMax', tenantBytesMax)
  isFull(t, await announce(server, 300_000), 'tenantBytesMax', tenantBytesMax)
  done(await attach(api, other, 300_000))
  done(await announce(server, 100_000, 'other'))
  t.equal(done(await api.get(`${layerPath({ docId })}/manifest`)).status, 200, 'reads go on')
  const custom = ['a', 'b', 'c'].map((key) => ({
    type: 'metadata.updateCustom',
    patch: { [key]: key.repeat(30_000) },
  }))
  const large = { opId: 'large', ops: custom }
  const refused = await change(api, { docId }, large)
  t.match(refused.at('/changes/0/error'), { code: 'PayloadTooLarge', details: { limit: 'tenantBytesMax' } })
  done(await api.delete(`/v1/tenants/acme/documents/${spare}`))
  server.clock.advance(5000)
  t.same(outcomes(await change(api, { docId }, large)), ['applied'], 'the refusal was not remembered')
  done(await attach(api, docId, 60_000))
})

t.test('announced uploads take room until they are published, fail or expire', async (t) => {
  const server = await run()
  await server.upload(pdf)
  const before = await used(server)
  const announced = done(await announce(server, 400_000))
  t.equal(await used(server), before + 400_000)
  server.clock.advance(2000)
  isFull(t, await announce(server, 400_000), 'tenantBytesMax', tenantBytesMax)
  done(await server.api.delete(`/v1/tenants/acme/documents/${announced.word('/document/id')}`))
  t.equal(await used(server), before)
  server.clock.advance(2000)
  done(await announce(server, 400_000))
  const { dataFolder: folder } = server
  await server.close()
  const storage = await openScene(folder)
  const clock = { now: () => Date.now() + 3_600_000, sleep: async () => {} }
  await new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) }).expire()
  let bytes = 0
  for await (const { row } of storage.tables.storage.range([])) bytes += row.bytes
  t.equal(bytes, before + limits.failedDocumentBytes)
  await storage.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})

t.test('documents that are no PDF are counted, fill their tenant, and are gone after a day', async (t) => {
  const server = await runServer(t, { folder: scratchFolder(t, 'data') })
  const { api, dataFolder: folder } = server
  done(await api.post('/v1/tenants', { id: 'acme' }))
  done(await api.patch('/v1/tenants/acme', { storedBytesMax: 2000 }))
  const bytes = Buffer.from('x')
  const upload = async () => {
    const announced = await api.post(`${documents}/init`, requestFor(bytes))
    if (announced.status >= 400) return announced
    const id = announced.word('/document/id')
    done(await api.sendFile(announced.word('/upload/url'), bytes))
    t.equal((await commit(api, id, sha256Of(bytes))).at('/document/state'), 'failed')
    server.clock.advance(2000)
    return announced
  }
  const answers = [await upload(), await upload(), await upload()]
  t.ok(answers.every(({ status }) => status < 300))
  t.equal(await used(server), 3 * limits.failedDocumentBytes)
  done(await upload())
  isFull(t, await upload(), 'tenantBytesMax', 2000)
  await server.close()
  const storage = await openScene(folder)
  const clock = { now: () => Date.now() + 2 * limits.failedDocumentRetentionMs, sleep: async () => {} }
  const housekeeping = new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  await housekeeping.expire()
  await housekeeping.stop()
  for await (const { key } of storage.tables.documents.range([])) t.fail(`${key} is left`)
  for await (const { row } of storage.tables.storage.range([])) t.equal(row.bytes, 0)
  await storage.close()
})

t.test('metadata of documents is counted once', async (t) => {
  const server = await run()
  const { api } = server
  const metadata = { note: 'x'.repeat(50_000) }
  const request = { contentLength: 1000, contentSha256: 'a'.repeat(64), idempotencyKey: 'one' }
  const init = (more: object) => api.post('/v1/tenants/acme/documents/init', { ...request, ...more })
  await server.upload(pdf)
  const before = await used(server)
  done(await init({}))
  done(await init({ metadata }))
  done(await init({ metadata }))
  t.equal(await used(server), before + 1000 + JSON.stringify(metadata).length)
  for (const key of ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
    done(await init({ metadata, idempotencyKey: key }))
  }
  isFull(t, await init({ metadata, idempotencyKey: 'ten' }), 'tenantBytesMax', tenantBytesMax)
  const { dataFolder: folder } = server
  await server.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})

t.test('an id that an expired upload released is counted anew', async (t) => {
  const folder = scratchFolder(t, 'data')
  const first = await runServer(t, { folder })
  const request = { docId: 'again', contentLength: 1000, contentSha256: 'a'.repeat(64) }
  const init = ({ api }: Running, metadata: object) =>
    api.post('/v1/tenants/acme/documents/init', { ...request, metadata }).then(done)
  await first.upload(pdf)
  const before = await used(first)
  await init(first, { note: 'x'.repeat(5000) })
  await first.close()
  const storage = await openScene(folder)
  const clock = { now: () => Date.now() + 3_600_000, sleep: async () => {} }
  await new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) }).expire()
  await storage.close()
  const second = await runServer(t, { folder })
  const failed = limits.failedDocumentBytes + JSON.stringify({ note: 'x'.repeat(5000) }).length
  t.equal(await used(second), before + failed)
  await init(second, {})
  t.equal(await used(second), before + 1000 + '{}'.length)
  await second.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})

t.test('all visitors of a share, and each token, add up to their bounds', async (t) => {
  const [shareBytesMax, tokenBytesMax] = [100_000, 150_000]
  const server = await run({ shareBytesMax, tokenBytesMax, tenantBytesMax: 0 })
  const { api } = server
  const docId = await server.upload(pdf)
  const scope = ['doc.open', 'doc.annotate.modify']
  const visitor = async (shareToken: string) => {
    const request = { shareToken }
    const opened = await api.as(undefined).post('/v1/share-sessions', request, { origin: 'https://a.test' })
    return api.as(done(opened).word('/token'))
  }
  const share = async () => done(await api.post('/v1/tenants/acme/shares', { docId, scope })).word('/share/id')
  const [one, two] = [await share(), await share()]
  done(await attach(await visitor(one), docId, 60_000))
  isFull(t, await attach(await visitor(one), docId, 60_000), 'shareBytesMax', shareBytesMax)
  done(await attach(await visitor(two), docId, 60_000))
  const storedBy = async (id: string) =>
    Number((await api.get(`/v1/tenants/acme/shares/${id}`)).at('/share/storedBytes'))
  const [byOne, byTwo] = [await storedBy(one), await storedBy(two)]
  t.ok(byOne > 60_000 && byOne <= shareBytesMax, `${byOne} bytes`)
  t.same(
    Object(done(await api.get('/v1/tenants/acme/shares')).at('/shares')).map(({ storedBytes }: never) => storedBytes),
    [byTwo, byOne],
  )
  const [ada, bob] = [
    api.as(await server.documentToken(docId, scope)),
    api.as(await server.documentToken(docId, scope)),
  ]
  done(await attach(ada, docId, 120_000))
  isFull(t, await attach(ada, docId, 60_000), 'tokenBytesMax', tokenBytesMax)
  const small = { opId: 'small', ops: [] }
  t.same(outcomes(await change(ada, { docId }, small)), ['applied'], 'what has room is stored')
  done(await attach(bob, docId, 60_000))
  done(await attach(api, docId, 200_000))
  const { dataFolder: folder } = server
  await server.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})

t.test('shares take room until they are deleted, and revoked tokens have a bound', async (t) => {
  const server = await run()
  const { api } = server
  const docId = await server.upload(pdf)
  done(await announce(server, tenantBytesMax - (await used(server)) - 60_000))
  const before = await used(server)
  server.clock.advance(2000)
  const scope = Array.from({ length: 64 }, (_, index) => `annotations:update:createdBy=${'x'.repeat(80)}${index}`)
  const share = (docOf = docId) => api.post('/v1/tenants/acme/shares', { docId: docOf, scope })
  const made: string[] = []
  for (;;) {
    const answer = await share()
    if (answer.status !== 200) {
      isFull(t, answer, 'tenantBytesMax', tenantBytesMax)
      break
    }
    made.push(answer.word('/share/id'))
    server.clock.advance(2000)
  }
  t.ok(made.length > 2 && made.length < 12, `${made.length} shares`)
  const [one = ''] = made
  done(await api.patch(`/v1/tenants/acme/shares/${one}`, { disabled: true }))
  for (const id of made) done(await api.delete(`/v1/tenants/acme/shares/${id}`))
  t.equal(await used(server), before)
  server.clock.advance(2000)
  const going = await server.upload(pdf)
  const left = done(await share(going)).word('/share/id')
  done(await api.delete(`/v1/tenants/acme/documents/${going}`))
  await api.delete(`/v1/tenants/acme/shares/${left}`)
  t.equal(await used(server), before)

  const tenant = api.as(await server.tenantToken('acme', ['tokens.revoke']))
  const revoke = (client: Client, index: number) => client.post(`/v1/tenants/acme/tokens/token-${index}/revoke`)
  await server.close()
  const storage = await openScene(server.dataFolder)
  const acme = (await storage.tables.tenantIds.get(['acme']))?.tenant ?? ''
  await transact(storage, async (transaction) => {
    for (let index = 0; index < limits.revocationsOfTenantMax - 1; index++) {
      const slot = storage.tables.revocations.at([acme, `token-${index}`])
      await transaction.read(slot)
      transaction.put(slot, { reason: null, expiresAt: Date.now() + 1e9, createdAt: 0 })
    }
  })
  await storage.close()
  const again = await runServer(t, { folder: server.dataFolder })
  const [token, operator] = [again.api.as(tenant.token), again.api]
  done(await revoke(token, limits.revocationsOfTenantMax))
  t.equal((await revoke(token, limits.revocationsOfTenantMax + 1)).code, 'Conflict')
  done(await revoke(token, 5))
  done(await revoke(operator, limits.revocationsOfTenantMax + 1))
  await again.close()
  await checkStorage({
    folder: server.dataFolder,
    digest: digestHere,
    report: ({ code, where }) => t.fail(`${code} ${where}`),
  })
})

t.test('a tenant, a share and a token have bounds of their own, above or below the settings', async (t) => {
  const server = await run({ tenantBytesMax: 300_000, shareBytesMax: 100_000, tokenBytesMax: 100_000 })
  const { api, clock } = server
  const docId = await server.upload(pdf)
  const scope = ['doc.open', 'doc.annotate.modify']
  const visitorOf = async (share: string) => {
    const opened = await api
      .as(undefined)
      .post('/v1/share-sessions', { shareToken: share }, { origin: 'https://a.test' })
    return api.as(done(opened).word('/token'))
  }
  const tokenOf = async (more: object) => {
    const request = { kind: 'doc', sub: 'ada', docId, scope, expiresIn: 600, ...more }
    return api.as(done(await api.post('/v1/tenants/acme/tokens', request)).word('/token'))
  }
  const made = done(await api.post('/v1/tenants/acme/shares', { docId, scope, storedBytesMax: 20_000 }))
  const share = made.word('/share/id')
  t.equal(made.at('/share/storedBytesMax'), 20_000)
  isFull(t, await attach(await visitorOf(share), docId, 30_000), 'shareBytesMax', 20_000)
  isFull(t, await attach(await tokenOf({ storedBytesMax: 20_000 }), docId, 30_000), 'tokenBytesMax', 20_000)
  done(await attach(await tokenOf({ storedBytesMax: 150_000 }), docId, 120_000))
  isFull(t, await attach(await tokenOf({}), docId, 120_000), 'tokenBytesMax', 100_000)
  const changed = await api.patch(`/v1/tenants/acme/shares/${share}`, { storedBytesMax: null })
  t.equal(done(changed).at('/share/storedBytesMax'), null)
  done(await attach(await visitorOf(share), docId, 30_000))

  const bounded = async (storedBytesMax: number | null) => {
    const answer = done(await api.patch('/v1/tenants/acme', { storedBytesMax }))
    t.match(answer.at('/tenant'), { storedBytesMax, auditReads: false })
    clock.advance(2000)
    return done(await api.get('/v1/tenants/acme/usage')).at('/limits/storage.bytes')
  }
  const unlimited = await tokenOf({ storedBytesMax: 0 })
  isFull(t, await attach(unlimited, docId, 200_000), 'tenantBytesMax', 300_000)
  t.equal(await bounded(180_000), 180_000)
  isFull(t, await attach(api, docId, 50_000), 'tenantBytesMax', 180_000)
  t.equal(await bounded(0), null)
  done(await attach(unlimited, docId, 200_000))
  t.equal(await bounded(null), 300_000)
  isFull(t, await announce(server, 1000), 'tenantBytesMax', 300_000)
  t.equal((await api.patch('/v1/tenants/acme', { storedBytesMax: -1 })).code, 'InvalidArg')
  const ofTenant = await server.tenantToken('acme', ['docs.read', 'tokens.issue-doc'])
  t.equal((await api.as(ofTenant).patch('/v1/tenants/acme', { storedBytesMax: 0 })).status, 403)
})

t.test('a file is refused while it is sent, and leaves nothing behind', async (t) => {
  const server = await run({ shareBytesMax: 100_000 })
  const { api } = server
  const docId = await server.upload(pdf)
  const scope = ['doc.open', 'doc.annotate.modify']
  const shareToken = done(await api.post('/v1/tenants/acme/shares', { docId, scope })).word('/share/id')
  const opened = await api.as(undefined).post('/v1/share-sessions', { shareToken }, { origin: 'https://a.test' })
  const visitor = api.as(done(opened).word('/token'))
  // The body names no file, so that only the sending of it can be what is refused.
  const sending = (bytes: number) => {
    const body = new FormData()
    body.set('body', JSON.stringify({ changes: [{ opId: randomBytes(8).toString('hex'), ops: [] }] }))
    body.set('resource:art', new Blob([randomBytes(bytes)]), 'art.bin')
    return visitor.send(`${layerPath({ docId })}/changes`, { method: 'POST', body })
  }
  for (const _ of [1, 2, 3]) isFull(t, await sending(200_000), 'shareBytesMax', 100_000)
  t.equal((await sending(80_000)).code, 'InvalidArg')
  isFull(t, await sending(200_000), 'shareBytesMax', 100_000)
  t.same(readdirSync(join(server.dataFolder, 'workshop')), [])
})

t.test('a redaction that has no room leaves nothing behind', async (t) => {
  const server = await run()
  const { api } = server
  const docId = await server.upload(pdf)
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const data = { subtype: 'redact', rect: { x: 10, y: 10, width: 20, height: 20 } }
  done(await change(api, { docId }, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] }))
  done(await announce(server, tenantBytesMax - (await used(server)) - 10))
  server.clock.advance(2000)
  const redact = () => api.post(`${layerPath({ docId })}/redactions/apply`, { pages: [page] })
  for (const _ of [1, 2]) isFull(t, await redact(), 'tenantBytesMax', tenantBytesMax)
  t.same(readdirSync(join(server.dataFolder, 'workshop')), [])
})

t.test('changes without content fill a bound, too', async (t) => {
  const server = await run({ tokenBytesMax: 40_000 })
  const docId = await server.upload(pdf)
  const token = server.api.as(await server.documentToken(docId, ['doc.open', 'doc.annotate.modify']))
  const changes = Array.from({ length: 64 }, (_, index) => ({ opId: `op-${index}`, ops: [] }))
  const seen = outcomes(await change(token, { docId }, ...changes))
  t.equal(seen.at(0), 'applied')
  t.equal(seen.at(-1), 'PayloadTooLarge')
})

t.test('usage and metrics show what is stored and what may be', async (t) => {
  const server = await run()
  await server.upload(pdf)
  done(await announce(server, 100_000))
  await announce(server, tenantBytesMax)
  t.same(done(await server.api.get('/v1/tenants/acme/usage')).at('/limits/storage.bytes'), tenantBytesMax)
  const metrics = (await server.api.get('/metrics')).text
  t.match(metrics, new RegExp(`^steward_stored_bytes(\\{[^}]*\\})? ${pdf.length + 100_000}$`, 'm'))
  t.match(metrics, /^steward_events_total\{.*event="tenant-full".*\} 1$/m)
  t.notMatch(metrics, 'change-failed', 'a bound of a tenant is no failure of the server')
  const unlimited = await run({ tenantBytesMax: 0, shareBytesMax: 0, tokenBytesMax: 0 })
  await unlimited.upload(pdf)
  t.same(done(await unlimited.api.get('/v1/tenants/acme/usage')).at('/limits'), {
    'storage.bytes': null,
    'share.bytes': null,
    'token.bytes': null,
  })
})
