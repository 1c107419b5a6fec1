// Deletion: unreadable at once, removed step by step, resumed after a restart; and expiry of uploads and revocations.

import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { systemClock } from '../../core/ports/clock.js'
import { Deletions } from '../../server/deletion/deletions.js'
import { untilReleased } from '../../server/deletion/given-up.js'
import { markTenantDeleting } from '../../server/deletion/mark-deleting.js'
import { Housekeeping } from '../../server/expiry/housekeeping.js'
import { Orphans } from '../../server/expiry/orphans.js'
import { limits } from '../../server/limits.js'
import { openStorage, type Storage } from '../../server/storage/open-storage.js'
import { documentLease } from '../../server/storage/removals.js'
import { allRowKinds } from '../../server/storage/row-kinds.js'
import { tenantTopic } from '../../server/storage/tenant-topic.js'
import { transact } from '../../server/storage/transaction.js'
import { scratchFolder } from '../cli/scratch.js'
import { wordsIn } from '../support/words-in-folder.js'
import { FaultyDatabase } from './storage/support/faulty-database.js'
import {
  announce,
  blobsOf,
  clock,
  kindsOf,
  type Made,
  makeDocument,
  makeShare,
  makeTenant,
  openScene,
  upload,
} from './support/scene.js'

async function open(t: Test, folder = scratchFolder(t)): Promise<Storage> {
  const storage = await openScene(folder)
  t.teardown(() => storage.close())
  return storage
}

/** Row kinds that may remain: sharded counters and retired ids contain no data of what was deleted. */
const lastingKinds = async (storage: Storage) =>
  (await kindsOf(storage)).filter((kind) => kind !== 'retirement' && kind !== 'storage')

function deletionsOf(storage: Storage, t: Test): Deletions {
  const deletions = new Deletions({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  t.teardown(() => deletions.stop())
  return deletions
}

t.test('a deleted document is unreadable at once, and its public id and idempotency key can be reused', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'report')
  const { swept } = await deletionsOf(storage, t).deleteDocument(made)
  t.equal(await storage.tables.documentIds.get(['report']), undefined)
  t.equal(await storage.tables.uploadKeys.get([tenant, 'key-report']), undefined)
  await makeDocument(storage, tenant, 'report')
  await swept
  t.ok(await storage.tables.documentIds.get(['report']), 'the sweep of the first document does not affect the second')
})

t.test('event streams of a deleted document end at once', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'report')
  const woken = () =>
    new Promise<void>((resolve) => {
      const end = storage.bus.subscribe(tenantTopic(tenant), () => {
        end()
        resolve()
      })
    })
  const deletions = deletionsOf(storage, t)
  const ofDocument = woken()
  const { swept: document } = await deletions.deleteDocument(made)
  await ofDocument
  t.equal(await storage.tables.documentIds.get(['report']), undefined)
  const ofTenant = woken()
  const { sweepEnded: swept } = await deletions.deleteTenant(tenant)
  await ofTenant
  t.equal(await storage.tables.tenantIds.get(['acme']), undefined)
  await Promise.all([document, swept])
})

t.test('exactly the data of a deleted document is removed', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const retained = await makeDocument(storage, tenant, 'kept')
  await makeShare(storage, retained, 'shr_kept')
  const [rows, blobs] = [await lastingKinds(storage), await blobsOf(storage)]
  const made = await makeDocument(storage, tenant, 'report', '%PDF the same bytes')
  await makeShare(storage, made, 'shr_1')
  await makeShare(storage, made, 'shr_2')
  const deletions = deletionsOf(storage, t)
  await deletions.deleteDocument(made)
  await deletions.stop()
  t.same(await lastingKinds(storage), rows)
  t.same(await blobsOf(storage), blobs)
})

t.test('a second delete is refused with NotFound', async (t) => {
  const storage = await open(t)
  const deletions = deletionsOf(storage, t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'report')
  const { swept } = await deletions.deleteDocument(made)
  await t.rejects(deletions.deleteDocument(made), { code: 'NotFound' })
  await swept
  await t.rejects(deletions.deleteDocument(made), { code: 'NotFound' })
  await (await deletions.deleteTenant(tenant)).sweepEnded
  await t.rejects(deletions.deleteTenant(tenant), { code: 'NotFound' })
})

t.test('bytes of a deleted document are not counted from the moment it is deleted', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  await makeDocument(storage, tenant, 'kept', 'x'.repeat(10))
  const made = await makeDocument(storage, tenant, 'report', 'x'.repeat(1000))
  const counted = async () => {
    let bytes = 0
    for await (const { row } of storage.tables.storage.range([tenant])) bytes += row.bytes
    return bytes
  }
  t.equal(await counted(), 1010)
  const { swept } = await deletionsOf(storage, t).deleteDocument(made)
  t.equal(await counted(), 10)
  await swept
  t.equal(await counted(), 10)
})

t.test('exactly the data of a deleted tenant is removed', async (t) => {
  const storage = await open(t)
  const retained = await makeTenant(storage, 'kept')
  await makeDocument(storage, retained, 'kept-document')
  const [rows, blobs] = [await lastingKinds(storage), await blobsOf(storage)]
  const tenant = await makeTenant(storage, 'acme')
  for (let index = 0; index < 5; index++) {
    const made = await makeDocument(storage, tenant, `report-${index}`)
    await makeShare(storage, made, `shr_${index}`)
  }
  await transact(storage, async (transaction) => {
    const { tables } = storage
    for (let index = 0; index < 300; index++) {
      transaction.put(tables.views.at([tenant, `jti-${index}`]), { month: '2026-11', expiresAt: 10 })
    }
    transaction.put(tables.revocations.at([tenant, 'jti']), { reason: null, expiresAt: 10, createdAt: 1 })
    transaction.put(tables.usage.at([tenant, '2026-11', 0]), { views: 1, uploads: 1 })
  })
  const deletions = deletionsOf(storage, t)
  await deletions.deleteTenant(tenant)
  t.equal(await storage.tables.tenantIds.get(['acme']), undefined, 'its id can be reused at once')
  await deletions.stop()
  t.same(await lastingKinds(storage), rows)
  t.same(await blobsOf(storage), blobs)
})

t.test('every row kind belongs to a tenant, is an index of one that does, or records a deletion', async (t) => {
  for (const kind of allRowKinds) {
    const isIndex = ['tenant-id', 'document-id', 'share-id', 'expiry'].includes(kind.name)
    t.ok(kind.ownedBy('t') || isIndex || ['sweep', 'retirement'].includes(kind.name), kind.name)
  }
})

t.test('deleted data is erased from all files, and many deletions share their compactions', async (t) => {
  const words = new Map<string, string>()
  const compactionsOf = async (count: number): Promise<number> => {
    const [folder, database] = [scratchFolder(t), new FaultyDatabase()]
    const storage = await openStorage({ folder, openDatabase: (path) => database.database(path) })
    const tenant = await makeTenant(storage, 'acme')
    const made: Made[] = []
    for (let index = 0; index < count; index++) {
      const id = randomBytes(12).toString('hex')
      made.push(await makeDocument(storage, tenant, id))
      words.set(id, folder)
    }
    const deletions = deletionsOf(storage, t)
    for (const document of made) await deletions.deleteDocument(document)
    await deletions.stop()
    await storage.close()
    t.same(
      wordsIn(
        folder,
        [...words].filter(([, at]) => at === folder).map(([id]) => id),
      ),
      [],
    )
    return database.compactions
  }
  const one = await compactionsOf(1)
  const many = await compactionsOf(60)
  // The first deletion is compacted at once, the others when the server stops or together with either.
  t.ok(many <= one * 4, `${many} compactions for 60, ${one} for one`)
})

t.test('an interrupted deletion continues at the next start', async (t) => {
  const folder = scratchFolder(t)
  const first = await openScene(folder)
  const tenant = await makeTenant(first, 'acme')
  await makeDocument(first, tenant, 'report')
  await markTenantDeleting({ storage: first, clock }, tenant)
  await first.close()
  const storage = await open(t, folder)
  const deletions = deletionsOf(storage, t)
  await deletions.resume()
  await deletions.stop()
  t.same(await lastingKinds(storage), [])
  t.same(readdirSync(join(folder, 'blobs')), [])
})

t.test("requests for ids of a deleted tenant's documents wait for its sweep; other ids do not wait", async (t) => {
  const storage = await open(t)
  const { tables } = storage
  const [retained, tenant] = [await makeTenant(storage, 'kept'), await makeTenant(storage, 'acme')]
  await makeDocument(storage, retained, 'kept-report')
  await makeDocument(storage, tenant, 'report')
  await markTenantDeleting({ storage, clock }, tenant)
  const deletions = deletionsOf(storage, t)
  const id = { tables, clock }
  const refusal = { code: 'RuntimeUnavailable', retryAfterSeconds: 1 }
  await t.rejects(untilReleased(id, 'report'), refusal, 'nothing sweeps it yet')
  await deletions.resume()
  const patient = { ...id, clock: systemClock }
  await Promise.all(['report', 'kept-report', 'another'].map((docId) => untilReleased(patient, docId)))
  t.equal(await tables.documentIds.get(['report']), undefined)
  t.ok(await tables.documentIds.get(['kept-report']))
  await makeDocument(storage, retained, 'report')
  await deletions.stop()
  t.ok(await tables.documentIds.get(['report']), 'the sweep does not affect the new document')
})

t.test('expired uploads, revocations and view counts are removed, others are kept', async (t) => {
  const storage = await open(t)
  const { tables } = storage
  const tenant = await makeTenant(storage, 'acme')
  const now = clock.now()
  const late = await announce(storage, tenant, 'late')
  await upload(storage, late, 'bytes that were never committed')
  await makeDocument(storage, tenant, 'ready')
  await transact(storage, async (transaction) => {
    for (const [jti, expiresAt] of [
      ['past', now],
      ['future', now + 5000],
    ] as const) {
      transaction.put(tables.revocations.at([tenant, jti]), { reason: null, expiresAt, createdAt: 1 })
      transaction.put(tables.views.at([tenant, jti]), { month: '2026-11', expiresAt })
    }
  })
  const at = (ms: number) =>
    new Housekeeping({ storage, clock: { ...clock, now: () => ms }, onFailure: (error) => t.fail(String(error)) })
  t.equal(await at(now).expire(), 2)
  t.ok(await tables.documents.get([tenant, late.document]), 'the upload has not expired yet')
  const later = at(now + 1000)
  t.equal(await later.expire(), 1)
  await later.stop()
  const failed = await tables.documents.get([tenant, late.document])
  t.match(failed, { state: 'failed', failureReason: 'upload-expired' }, 'whoever polls can read it')
  t.equal((await blobsOf(storage)).length, 1, 'only the blob of the ready document is left')
  t.equal(await tables.revocations.get([tenant, 'past']), undefined)
  t.equal(await tables.views.get([tenant, 'past']), undefined)
  t.ok(await tables.revocations.get([tenant, 'future']))
  t.ok(await tables.views.get([tenant, 'future']))
  const day = at(now + 1000 + limits.failedDocumentRetentionMs)
  await day.expire()
  await day.stop()
  t.equal(await tables.documents.get([tenant, late.document]), undefined)
})

t.test('an upload that was extended, or has arrived, does not expire', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await announce(storage, tenant, 'resumed')
  const slot = storage.tables.documents.at([made.tenant, made.document])
  await transact(storage, async (transaction) => {
    const row = await transaction.read(slot)
    if (row) transaction.put(slot, { ...row, uploadExpiresAt: clock.now() + 60_000 })
  })
  const later = { ...clock, now: () => clock.now() + 2000 }
  const housekeeping = new Housekeeping({ storage, clock: later, onFailure: (error) => t.fail(String(error)) })
  t.equal(await housekeeping.expire(), 0)
  t.equal((await storage.tables.documents.get([made.tenant, made.document]))?.state, 'pending')
  await housekeeping.stop()
})

t.test('orphaned blobs are removed at once, but not those of an upload in flight', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'report')
  const pending = await announce(storage, tenant, 'pending')
  await upload(storage, pending, 'on its way')
  const retained = [`${made.document}/upload.pdf`, `${pending.document}/upload.pdf`].sort()
  for (const document of ['nobody', made.document]) await litter(storage, { tenant, document })
  const orphans = new Orphans(storage)
  t.equal(await orphans.collect(), 2)
  t.same(await blobsOf(storage), retained)
  t.equal(await orphans.collect(), 0)
})

t.test('the next start removes temporary blobs that a crash left in a document', async (t) => {
  const storage = await open(t)
  const made = await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  await litter(storage, made)
  const housekeeping = new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  await housekeeping.start()
  await housekeeping.stop()
  t.same(await blobsOf(storage), [`${made.document}/upload.pdf`])
})

async function litter({ blobs }: Storage, owner: Made): Promise<void> {
  async function* bytes() {
    yield Buffer.from('left by a crash')
  }
  await blobs.write({ ...owner, name: 'litter' }, bytes(), { sizeBytesMax: 100 })
}

t.test('a blob that is written under the lease of its document is not removed', async (t) => {
  const storage = await open(t)
  const made = await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  const { tenant, document } = made
  async function* picture() {
    yield Buffer.from('picture')
  }
  const collected = await storage.leases.hold(documentLease(document), async () => {
    await storage.blobs.write({ ...made, name: 'thumbnail.webp' }, picture(), { sizeBytesMax: 100 })
    const collecting = new Orphans(storage).collect()
    const slot = storage.tables.documents.at([tenant, document])
    await transact(storage, async (transaction) => {
      const row = await transaction.read(slot)
      if (row) transaction.put(slot, { ...row, thumbnail: 'ready' })
    })
    return { collecting }
  })
  t.equal(await collected.collecting, 0)
  t.equal((await blobsOf(storage)).length, 2)
})
