// Transactions over typed tables: reads must be current at commit, indexes follow their rows, owners must exist.
import fc from 'fast-check'
import t from 'tap'
import { newInternalId, timeOfInternalId } from '../../../server/storage/internal-ids.js'
import type { Key } from '../../../server/storage/keys.js'
import type { Commit, CommitOutcome, Range, Store } from '../../../server/storage/store.js'
import { type TransactOptions, transact } from '../../../server/storage/transaction.js'
import { scratchFolder } from '../../cli/scratch.js'
import { seed } from '../../support/sample.js'
import { announce, clock, makeDocument, makeTenant, openScene } from '../support/scene.js'

const storage = await openScene(scratchFolder(t))
const { tables } = storage
t.teardown(() => storage.close())

t.test('a row and its index rows are written and removed together', async (t) => {
  const tenant = await makeTenant(storage, 'together')
  t.same(await tables.tenantIds.get(['together']), { tenant })
  await transact(storage, async (transaction) => {
    await transaction.read(tables.tenants.at([tenant]))
    transaction.remove(tables.tenants.at([tenant]))
  })
  t.equal(await tables.tenantIds.get(['together']), undefined)
  t.equal(await tables.tenants.get([tenant]), undefined)
})

t.test('index rows of a changed row are updated', async (t) => {
  const tenant = await makeTenant(storage, 'expiry')
  const revoke = (expiresAt: number) =>
    transact(storage, async (transaction) => {
      const slot = tables.revocations.at([tenant, 'token'])
      await transaction.read(slot)
      transaction.put(slot, { reason: null, expiresAt, createdAt: 0 })
    })
  const times = async () => {
    const found: number[] = []
    for await (const { key } of tables.expiries.range([])) if (key[2] === tenant) found.push(key[0])
    return found
  }
  await revoke(5000)
  t.same(await times(), [5000])
  await revoke(7000)
  t.same(await times(), [7000])
})

t.test('an error about rows that changed between two reads makes the transaction run again', async (t) => {
  const [one, other] = [await makeTenant(storage, 'torn-one'), await makeTenant(storage, 'torn-other')]
  const suspend = () =>
    transact(storage, async (transaction) => {
      for (const tenant of [one, other]) {
        const row = await transaction.read(tables.tenants.at([tenant]))
        if (row) transaction.put(tables.tenants.at([tenant]), { ...row, status: 'suspended' })
      }
    })
  let runs = 0
  const work = transact(storage, async (transaction) => {
    runs += 1
    const first = await transaction.read(tables.tenants.at([one]))
    if (runs === 1) await suspend()
    const second = await transaction.read(tables.tenants.at([other]))
    if (first?.status !== second?.status) throw new Error('This was never true')
    return second?.status
  })
  t.equal(await work, 'suspended')
  t.equal(runs, 2)
  const wrong = transact(storage, async (transaction) => {
    runs += 1
    for (const tenant of [one, other]) await transaction.read(tables.tenants.at([tenant]))
    throw new Error('This is true')
  })
  await t.rejects(wrong, { message: 'This is true' })
  t.equal(runs, 3, 'an error about rows as they are ends the transaction')
})

t.test('a conflict on a public id makes the second transaction run again, which then sees the row', async (t) => {
  const runs: boolean[] = []
  const claim = () =>
    transact(storage, async (transaction) => {
      const isTaken = (await transaction.read(tables.tenantIds.at(['rare']))) !== undefined
      runs.push(isTaken)
      if (isTaken) return 'taken'
      const row = {
        id: 'rare',
        name: '',
        autoProvisioned: false,
        status: 'active',
        suspendedReason: null,
        createdAt: 1,
      } as const
      transaction.put(tables.tenants.at([newInternalId(1)]), row)
      return 'mine'
    })
  t.same((await Promise.all([claim(), claim()])).sort(), ['mine', 'taken'])
  t.same(runs, [false, false, true])
})

t.test('writing a row that was not read fails if it exists', async (t) => {
  const tenant = await makeTenant(storage, 'blind')
  const blindly = transact(storage, async (transaction) => {
    transaction.put(tables.usage.at([tenant, '2026-11', 0]), { views: 1, uploads: 0 })
  })
  await blindly
  const again = transact(storage, async (transaction) => {
    transaction.put(tables.usage.at([tenant, '2026-11', 0]), { views: 1, uploads: 0 })
  })
  await t.rejects(again, { code: 'RuntimeUnavailable' })
})

t.test('sixty concurrent writes to one row all succeed, and none is lost', async (t) => {
  const tenant = await makeTenant(storage, 'counting')
  const slot = tables.usage.at([tenant, '2026-11', 0])
  const count = () =>
    transact(storage, async (transaction) => {
      const { views, uploads } = (await transaction.read(slot)) ?? { views: 0, uploads: 0 }
      transaction.put(slot, { views: views + 1, uploads })
    })
  await Promise.all(Array.from({ length: 60 }, count))
  t.equal((await tables.usage.get([tenant, '2026-11', 0]))?.views, 60)
})

t.test('writes into a tenant or document that is deleted or being deleted are refused', async (t) => {
  const tenant = await makeTenant(storage, 'leaving')
  const made = await makeDocument(storage, tenant, 'leaving-document')
  const view = (owner: string) =>
    transact(storage, async (transaction) => {
      transaction.put(tables.views.at([owner, 'jti']), { month: '2026-11', expiresAt: 1 })
    })
  await t.rejects(view('nobody'), { code: 'NotFound' })
  const setDocument = (state: 'ready' | 'deleting') =>
    transact(storage, async (transaction) => {
      const slot = tables.documents.at([made.tenant, made.document])
      const row = await transaction.read(slot)
      if (row) transaction.put(slot, { ...row, state })
    })
  await setDocument('deleting')
  const version = transact(storage, async (transaction) => {
    transaction.put(tables.pageFacts.at([made.tenant, made.document, 2]), { inline: { pages: [] } })
  })
  await t.rejects(version, { code: 'NotFound' })
  await transact(storage, async (transaction) => {
    const slot = tables.tenants.at([tenant])
    const row = await transaction.read(slot)
    if (row) transaction.put(slot, { ...row, status: 'deleting' })
  })
  await t.rejects(view(tenant), { code: 'NotFound' })
  await t.rejects(announce(storage, tenant, 'late'), { code: 'NotFound' })
})

t.test('a transaction fails if its owner is deleted meanwhile', async (t) => {
  const tenant = await makeTenant(storage, 'racing')
  let runs = 0
  const writing = transact(storage, async (transaction) => {
    runs += 1
    transaction.put(tables.views.at([tenant, `jti`]), { month: '2026-11', expiresAt: 1 })
    if (runs > 1) return
    // The tenant is suspended between work and commit, as by another request.
    await transact(storage, async (other) => {
      const slot = tables.tenants.at([tenant])
      const row = await other.read(slot)
      if (row) other.put(slot, { ...row, status: 'deleting' })
    })
  })
  await t.rejects(writing, { code: 'NotFound' })
})

t.test('a row that violates the schema of its table, or is too large, is refused before it is written', async (t) => {
  const tenant = await makeTenant(storage, 'shapes')
  const put = (reason: string, expiresAt: number) =>
    transact(storage, async (transaction) => {
      transaction.put(tables.revocations.at([tenant, 'x']), { reason, expiresAt, createdAt: 0 })
    })
  await t.rejects(put('', 0.5), { name: 'TypeError' })
  await t.rejects(put('x'.repeat(300_000), 1), { name: 'RangeError' })
})

t.test('after a commit with an unknown outcome the rows decide; if they cannot, the call rejects', async (t) => {
  const tenant = await makeTenant(storage, 'unknown')
  const slot = tables.usage.at([tenant, '2026-11', 0])
  const viewsNow = async () => (await tables.usage.get([tenant, '2026-11', 0]))?.views ?? 0
  for (const happened of [true, false]) {
    const views = (await viewsNow()) + 1
    const store = new ForgetfulStore(storage.store, happened)
    const count = (options: TransactOptions<string>, uploads = 0) =>
      transact(
        { store },
        async (transaction) => {
          await transaction.read(slot)
          transaction.put(slot, { views, uploads })
          return 'counted'
        },
        options,
      )
    const outcomeOf = async () => ((await viewsNow()) === views ? 'settled' : undefined)
    t.equal(await count({ outcomeOf }), happened ? 'settled' : 'counted')
    t.equal(await viewsNow(), views)
    store.forgets = true
    await t.rejects(count({}, views), { message: /outcome is unknown/ })
  }
})

t.test('several rows are read from one snapshot, in the order of the request', async (t) => {
  const tenant = await makeTenant(storage, 'many')
  const [row, none] = await tables.getMany([tables.tenants.at([tenant]), tables.revocations.at([tenant, 'none'])])
  t.equal(row?.id, 'many')
  t.equal(none, undefined)
})

t.test('documents are listed newest first, page by page, without losing or repeating any', async (t) => {
  const tenant = await makeTenant(storage, 'pages')
  const made: string[] = []
  for (let index = 0; index < 7; index++) made.push((await announce(storage, tenant, `page-${index}`)).document)
  const listed: string[] = []
  for (;;) {
    const last = listed.at(-1)
    const after = last === undefined ? {} : { after: [tenant, last] as const }
    const page: string[] = []
    for await (const { key } of tables.documents.range([tenant], { isReversed: true, limit: 3, ...after }))
      page.push(key[1])
    if (page.length === 0) break
    listed.push(...page)
  }
  t.same(listed, made.sort().reverse())
})

t.test('internal ids sort by time and never repeat', async (t) => {
  const time = fc.integer({ min: 0, max: Date.UTC(2500, 0) })
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [newInternalId(a), newInternalId(b)]
      return first !== second && (a === b || a < b === first < second) && /^[0-9a-z]{28}$/.test(first)
    }),
    { seed },
  )
  t.ok(newInternalId(clock.now()) < newInternalId(clock.now() + 1))
})

/** Store whose connection is lost during the next commit, which was applied or not. */
class ForgetfulStore implements Store {
  forgets = true

  constructor(
    private readonly store: Store,
    private readonly happens: boolean,
  ) {}

  get = (key: Key) => this.store.get(key)
  getMany = (keys: readonly Key[]) => this.store.getMany(keys)
  range = (range: Range) => this.store.range(range)
  probe = () => this.store.probe()
  close = () => this.store.close()

  async commit(commit: Commit): Promise<CommitOutcome> {
    if (!this.forgets) return this.store.commit(commit)
    this.forgets = false
    if (this.happens) await this.store.commit(commit)
    return 'unknown'
  }
}

t.test('a blind write replaces any existing row, if rows that were read are still current', async (t) => {
  const tenant = await makeTenant(storage, 'overwriting')
  const { document } = await announce(storage, tenant, 'overwritten')
  const pinsOf = (page: number) => tables.pagePins.at([tenant, document, 'default', page])
  const pins = (contentVersion: number) => ({ contentVersion, annotationVersion: 1, widgetVersion: 1 })
  const write = (contentVersion: number) =>
    transact(storage, async (transaction) => transaction.overwrite(pinsOf(3), pins(contentVersion)))
  await write(1)
  await write(2)
  t.same(await tables.pagePins.get([tenant, document, 'default', 3]), pins(2))
  let runs = 0
  await transact(storage, async (transaction) => {
    runs += 1
    const slot = tables.documents.at([tenant, document])
    const row = await transaction.read(slot)
    transaction.overwrite(pinsOf(3), pins(10 + runs))
    if (runs > 1 || row === undefined) return
    await transact(storage, async (other) => {
      await other.read(slot)
      other.put(slot, { ...row, nextObject: row.nextObject + 1 })
    })
  })
  t.same([runs, (await tables.pagePins.get([tenant, document, 'default', 3]))?.contentVersion], [2, 12])
  await transact(storage, async (transaction) => transaction.erase(pinsOf(3)))
  t.equal(await tables.pagePins.get([tenant, document, 'default', 3]), undefined)
  const indexed = transact(storage, async (transaction) => {
    transaction.overwrite(tables.revocations.at([tenant, 'x']), { reason: null, expiresAt: 1, createdAt: 0 })
  })
  await t.rejects(indexed, /has indexes/)
})

t.test('concurrent increments of a counter are all counted, without repeating a transaction', async (t) => {
  const tenant = await makeTenant(storage, 'counted')
  const slot = tables.storage.at([tenant, 0])
  let runs = 0
  const add = (bytes: number) =>
    transact(storage, async (transaction) => {
      runs += 1
      transaction.amend(slot, (row) => ({ bytes: (row?.bytes ?? 0) + bytes }))
    })
  await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)))
  t.same(await tables.storage.get([tenant, 0]), { bytes: (49 * 50) / 2 })
  t.equal(runs, 50)
})

t.test('an internal id tells the millisecond in which it was made', async (t) => {
  t.equal(timeOfInternalId(newInternalId(1_795_000_000_123)), 1_795_000_000_123)
  t.equal(timeOfInternalId(newInternalId(0)), 0)
})
