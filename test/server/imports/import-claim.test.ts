// The fence of asynchronous imports: a worker whose claim was taken over changes nothing, whichever commit it reaches.
import t, { type Test } from 'tap'
import { systemRandom } from '../../../core/ports/random.js'
import {
  type Claim,
  endClaim,
  failImport,
  postpone,
  recordObserved,
  releaseClaim,
  renewClaim,
  takeClaim,
  uncountAttempt,
} from '../../../server/imports/import-claim.js'
import { limits } from '../../../server/limits.js'
import { importFailures } from '../../../server/rows/import.js'
import { transact } from '../../../server/storage/transaction.js'
import { scratchFolder } from '../../cli/scratch.js'
import { announce, makeTenant, openScene } from '../support/scene.js'

const claimMs = 1000

async function openImport(t: Test) {
  const storage = await openScene(scratchFolder(t))
  t.teardown(() => storage.close())
  let now = 10_000
  const clock = { now: () => now, sleep: async () => {} }
  const ports = { store: storage.store, tables: storage.tables, random: systemRandom, clock }
  const name = await announce(storage, await makeTenant(storage, 'acme'), 'imported')
  const key = [name.tenant, name.document] as const
  await transact(storage, async (transaction) => {
    transaction.put(storage.tables.imports.at(key), {
      id: 'an-import',
      connection: 'archive',
      key: 'in/a.pdf',
      revision: null,
      observed: null,
      attempts: 0,
      dueAt: now,
      claim: null,
      lastFailure: null,
      createdAt: now,
    })
  })
  const take = () => takeClaim(ports, name, claimMs)
  const claimed = async (): Promise<Claim> => {
    const claim = await take()
    if (!claim) throw new Error('The import is not due')
    return claim
  }
  /** Everything that a commit for the import can change. */
  const state = async () => [await storage.tables.imports.get(key), await storage.tables.documents.get(key)]
  const setStatus = (status: 'active' | 'suspended') =>
    transact(storage, async (transaction) => {
      const slot = storage.tables.tenants.at([name.tenant])
      const row = await transaction.read(slot)
      if (row) transaction.put(slot, { ...row, status })
    })
  const pass = (ms: number) => {
    now += ms
  }
  return { storage, ports, key, take, claimed, state, setStatus, pass }
}

const end = async ({ ports }: Awaited<ReturnType<typeof openImport>>, claim: Claim) => {
  await transact(ports, (transaction) => endClaim(ports, transaction, claim))
}

const commits: Readonly<Record<string, typeof end>> = {
  renewal: ({ ports }, claim) => renewClaim(ports, claim, claimMs),
  'record of the source': ({ ports }, claim) => recordObserved(ports, claim, { sizeBytes: 5, tag: 'late' }),
  publication: end,
  release: ({ ports }, claim) => releaseClaim(ports, claim),
  'next attempt': ({ ports }, claim) => postpone(ports, claim, { code: 'UpstreamFailed', delayMs: 5 }),
  failure: ({ ports }, claim) => failImport(ports, claim, importFailures.unavailable),
}

for (const [title, commit] of Object.entries(commits)) {
  t.test(`a late ${title} changes nothing after the claim was taken over, and none after the end`, async (t) => {
    const scene = await openImport(t)
    const stalled = await scene.claimed()
    scene.pass(claimMs + 1)
    const second = await scene.claimed()
    t.not(second.token, stalled.token)
    const before = await scene.state()
    await t.rejects(commit(scene, stalled), { name: 'ClaimLost' })
    t.same(await scene.state(), before)
    await end(scene, second)
    const after = await scene.state()
    t.equal(after[0], undefined)
    await t.rejects(commit(scene, stalled), { name: 'ClaimLost' })
    t.same(await scene.state(), after)
  })

  t.test(`a ${title} by the claiming worker takes effect`, async (t) => {
    const scene = await openImport(t)
    const claim = await scene.claimed()
    const before = await scene.state()
    scene.pass(1)
    await commit(scene, claim)
    t.notSame(await scene.state(), before)
  })
}

t.test('a claim is taken by one worker, and by another only when it is over', async (t) => {
  const { take, claimed, pass, ports } = await openImport(t)
  const both = await Promise.all([take(), take()])
  t.equal(both.filter(Boolean).length, 1, 'of two at once')
  const [first] = both.filter((claim) => claim !== undefined)
  pass(claimMs - 1)
  t.equal(await take(), undefined)
  if (first) await renewClaim(ports, first, claimMs)
  pass(claimMs - 1)
  t.equal(await take(), undefined, 'renewed')
  pass(1)
  t.equal((await claimed()).row.attempts, 2)
})

t.test('two workers whose clocks differ, and who take the claims of each other, use up no attempts', async (t) => {
  const scene = await openImport(t)
  const { take, claimed, pass, ports } = scene
  const hour = 3_600_000
  let lost: Claim | undefined
  for (let turn = 0; turn < 3 * limits.importAttemptsMax; turn++) {
    pass(turn % 2 === 0 ? hour : -hour)
    const claim = await claimed()
    if (lost !== undefined) {
      await t.rejects(end(scene, lost), { name: 'ClaimLost' })
      await uncountAttempt(ports, lost)
    }
    lost = claim
  }
  t.equal(lost?.row.attempts, 2)
  t.match((await scene.state())[1], { state: 'pending' })
  for (let turn = 0; turn < limits.importAttemptsMax; turn++) {
    pass(2 * claimMs)
    await take()
  }
  t.match(
    (await scene.state())[1],
    { state: 'failed', failureReason: importFailures.unavailable },
    'who ends is counted',
  )
})

t.test(
  'a clock that goes back holds up neither a claimed import nor one that waits for its next attempt',
  async (t) => {
    const { take, claimed, pass, ports } = await openImport(t)
    const hour = 3_600_000
    pass(hour)
    const first = await claimed()
    pass(-hour)
    const second = await claimed()
    t.equal(second.row.attempts, first.row.attempts + 1, 'a claim that ends later than any claim')
    t.equal(await take(), undefined)
    pass(hour)
    await postpone(ports, await claimed(), { code: 'UpstreamFailed', delayMs: limits.importRetryMaxMs })
    t.equal(await take(), undefined, 'the longest delay is respected')
    pass(-hour)
    t.ok(await take())
  },
)

t.test('a worker publishes and renews nothing for a suspended tenant, and gives the attempt back', async (t) => {
  const scene = await openImport(t)
  const claim = await scene.claimed()
  await scene.setStatus('suspended')
  const before = await scene.state()
  await t.rejects(end(scene, claim), { name: 'ClaimLost' })
  await t.rejects(renewClaim(scene.ports, claim, claimMs), { name: 'ClaimLost' })
  t.same(await scene.state(), before)
  await releaseClaim(scene.ports, claim)
  t.equal(await scene.take(), undefined, 'nothing is claimed before the tenant is resumed')
  await scene.setStatus('active')
  t.equal((await scene.claimed()).row.attempts, 1)
})

t.test('an import whose every attempt ended with its process fails, and is not claimed again', async (t) => {
  const { take, pass, storage, key } = await openImport(t)
  for (let attempt = 0; attempt < limits.importAttemptsMax; attempt++) {
    t.ok(await take())
    pass(claimMs)
  }
  t.equal(await take(), undefined)
  t.match(await storage.tables.documents.get(key), { state: 'failed', failureReason: importFailures.unavailable })
  t.equal(await storage.tables.imports.get(key), undefined)
})

t.test('a document that ended otherwise is neither imported nor failed', async (t) => {
  const { claimed, take, pass, storage, key, ports, state } = await openImport(t)
  const claim = await claimed()
  await transact(storage, async (transaction) => {
    const slot = storage.tables.documents.at(key)
    const row = await transaction.read(slot)
    if (row) transaction.put(slot, { ...row, state: 'failed', failureReason: 'not-a-pdf' })
  })
  const importRow = await storage.tables.imports.get(key)
  await failImport(ports, claim, importFailures.unavailable)
  t.match(await state(), [undefined, { failureReason: 'not-a-pdf' }])
  await transact(storage, async (transaction) => {
    if (importRow) transaction.put(storage.tables.imports.at(key), importRow)
  })
  pass(claimMs)
  t.equal(await take(), undefined)
  t.match(await state(), [undefined, { failureReason: 'not-a-pdf' }])
})
