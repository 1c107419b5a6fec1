// Conformance suite of blobs that several processes share, beside the suite of all blobs.
import { setTimeout } from 'node:timers/promises'
import type { Blobs, ListedBlob, RecordedDeployments } from '../blobs.js'
import { chunks, listNames, named, readAll } from './blob-content.js'
import type { Tester } from './tester.js'

/** Opens the blobs of a name in a process; all processes have the same blobs, and staging folders of their own. */
export type OpenSharedBlobs = (name: string, process: 'first' | 'second') => Promise<Blobs>

const checks = { sizeBytesMax: 1_000_000 }
const owner = { tenant: 't1', document: 'd1' }

export async function sharedBlobsConformance(t: Tester, open: OpenSharedBlobs): Promise<void> {
  let opened = 0
  const rule = (title: string, check: (t: Tester, first: Blobs, second: Blobs) => Promise<void>) =>
    t.test(title, async (t) => {
      opened += 1
      const name = `shared-${opened}`
      const [first, second] = [await open(name, 'first'), await open(name, 'second')]
      await check(t, first, second)
    })

  await rule('what one process writes, the other finds, reads and lists with its time', async (t, first, second) => {
    t.equal(first.isShared, true)
    t.equal(await second.size(named('a')), undefined)
    await first.write(named('a'), chunks('content'), checks)
    t.equal(await second.size(named('a')), 7)
    t.equal((await readAll(second.read(named('a'), { first: 1, last: 3 }))).toString(), 'ont')
    const [blob] = await listed(second)
    t.ok(Math.abs((blob?.writtenAtMs ?? 0) - Date.now()) < 600_000)
  })

  await rule('a removal that was listed earlier spares what was written later', async (t, first, second) => {
    await first.write(named('a'), chunks('old'), checks)
    const [old] = await listed(first)
    await second.write(named('a'), chunks('new'), checks)
    await old?.remove()
    for (const blobs of [first, second]) t.equal((await readAll(blobs.read(named('a')))).toString(), 'new')
    t.same(await listNames(first), ['t1/d1/a'])
  })

  await rule('copies that two processes wrote to one name are one blob', async (t, first, second) => {
    for (const blobs of [first, second]) await blobs.write(named('a'), chunks('same'), checks)
    t.same(await listNames(first), ['t1/d1/a'])
    const [blob] = await listed(first)
    await blob?.removeCopies?.(Date.now() + 600_000)
    t.equal((await readAll(second.read(named('a')))).toString(), 'same')
    await second.remove(named('a'))
    t.same(await listNames(first), [])
  })

  await rule('recorded deployments are listed in their order by all, and are no blobs', async (t, first, second) => {
    if (first.deployments === undefined || second.deployments === undefined) return
    // The later one has the smaller id.
    const [one, two] = ['2', '1'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`)
    if (one === undefined || two === undefined) return
    const ids = async (deployments: RecordedDeployments) => (await deployments.list()).map(({ id }) => id)
    t.same(await ids(second.deployments), [])
    await first.deployments.add(one)
    await setTimeout(1100)
    await second.deployments.add(two)
    t.same(await ids(first.deployments), [one, two])
    for (const { recordedAtMs } of await first.deployments.list()) t.ok(Math.abs(recordedAtMs - Date.now()) < 600_000)
    await second.deployments.remove(one)
    await second.deployments.remove(one)
    t.same(await ids(first.deployments), [two])
    t.same(await listNames(first), [])
  })

  await rule('what clients upload directly arrives in every process', async (t, first, second) => {
    if (first.presign === undefined || second.arrived === undefined) return
    const body = Buffer.from('uploaded')
    const { url, headers } = await first.presign(owner, { sizeBytes: body.length, ttlSeconds: 60 })
    t.equal((await fetch(url, { method: 'PUT', headers, body })).status, 200)
    for await (const upload of second.arrived(owner)) {
      t.equal(upload.sizeBytes, body.length)
      t.ok((await readAll(upload.read())).equals(body))
      await upload.remove()
    }
    for await (const _ of first.arrived?.(owner) ?? []) t.ok(false, 'nothing is left')
  })
}

async function listed(blobs: Blobs): Promise<readonly ListedBlob[]> {
  const found: ListedBlob[] = []
  for await (const blob of blobs.list()) found.push(blob)
  return found
}
