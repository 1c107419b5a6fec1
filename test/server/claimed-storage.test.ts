// Deployments that claim one storage of files: exactly one owns it, also where they start in the same moment.
import t, { type Test } from 'tap'
import { limits } from '../../server/limits.js'
import { type ClaimStorageOptions, claimStorage } from '../../server/settings/claimed-storage.js'
import { deploymentId, recordCopy } from '../../server/settings/deployment-id.js'
import type { RecordedDeployment, RecordedDeployments } from '../../server/storage/blobs.js'
import { scratchFolder } from '../cli/scratch.js'
import { openScene } from './support/scene.js'

/** Records as a storage keeps them, whose times have whole seconds. */
class Records implements RecordedDeployments {
  readonly all = new Map<string, number>()

  async list(): Promise<readonly RecordedDeployment[]> {
    const found = [...this.all].map(([id, recordedAtMs]) => ({ id, recordedAtMs }))
    return found.sort((a, b) => a.recordedAtMs - b.recordedAtMs || (a.id < b.id ? -1 : 1))
  }

  async add(id: string, atMs = Date.now()): Promise<void> {
    this.all.set(id, Math.floor(atMs / 1000) * 1000)
  }

  async remove(id: string): Promise<void> {
    this.all.delete(id)
  }
}

async function claimerOf(t: Test, deployments: Records) {
  const rows = scratchFolder(t)
  const storage = await openScene(scratchFolder(t))
  t.teardown(() => storage.close())
  const blobs = new Proxy(storage.blobs, {
    get: (target, name) => (name === 'deployments' ? deployments : Reflect.get(target, name).bind(target)),
  })
  const claim = (more: Partial<ClaimStorageOptions> = {}) =>
    claimStorage({ rows, tables: storage.tables, blobs, acceptMovedFiles: false, ...more })
  return { id: await deploymentId(rows), rows, claim }
}

t.test('of two that start at once on an unused storage one is refused', async (t) => {
  const records = new Records()
  const claimers = [await claimerOf(t, records), await claimerOf(t, records)]
  const [first, second] = claimers
  if (first === undefined || second === undefined) return
  // Each has a second process, which finds the record of the first one.
  const outcomes = await Promise.allSettled([first.claim(), first.claim(), second.claim(), second.claim()])
  const [owner] = await records.list()
  t.same(
    outcomes.map(({ status }) => status === 'fulfilled'),
    claimers.flatMap(({ id }) => [id === owner?.id, id === owner?.id]),
  )
})

t.test('a process that finds a young record of its own looks again', async (t) => {
  const records = new Records()
  const { id, claim } = await claimerOf(t, records)
  await records.add(id)
  const claimed = claim()
  setTimeout(() => void records.add('00000000-0000-4000-8000-000000000000', Date.now() - 5000), 100)
  await t.rejects(claimed, /storage has the files of another deployment/)
})

t.test('a settled record is enough, and one that somebody removed is written again', async (t) => {
  const records = new Records()
  const { id, claim } = await claimerOf(t, records)
  await records.add(id, Date.now() - limits.claimYoungMs - 2000)
  const owns = await claim()
  t.equal(await owns(), true)
  await records.remove(id)
  t.equal(await owns(), true)
  t.same([...records.all.keys()], [id])
  const other = await claimerOf(t, records)
  await t.rejects(other.claim(), /storage has the files of another deployment/)
  await other.claim({ acceptMovedFiles: true })
  t.equal(await owns(), false)
})

t.test('a copy takes the storage over once; whoever takes it back keeps it', async (t) => {
  const records = new Records()
  const [source, copy] = [await claimerOf(t, records), await claimerOf(t, records)]
  await source.claim()
  await recordCopy(source.rows, copy.rows)
  const owns = await source.claim()
  await copy.claim()
  t.equal(await owns(), false)
  await t.rejects(source.claim(), /storage has the files of another deployment/)
  await source.claim({ acceptMovedFiles: true })
  await t.rejects(copy.claim(), /storage has the files of another deployment/)
})
