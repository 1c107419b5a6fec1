// Values that may be too large for a row are stored in it if they fit, else in a blob that the row refers to.
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { claimOf } from '../../../server/storage/large-values.js'
import { scratchFolder } from '../../cli/scratch.js'
import { blobsOf, openScene } from '../support/scene.js'

const storage = await openScene(scratchFolder(t))
t.teardown(() => storage.close())
const owner = { tenant: 't', document: 'd' }
const pagesOf = (count: number) => ({
  pages: Array.from({ length: count }, (_, index) => ({
    objectNumber: index + 1,
    inlineAnnotations: [{ baseIndex: 0, objectNumber: index + 1_000_000 }],
  })),
})

t.test('a small value is stored in its row, without a blob', async (t) => {
  const stored = await storage.pageFacts.store(owner, pagesOf(3))
  t.same(stored, { inline: pagesOf(3) })
  t.same(await storage.pageFacts.load(owner, stored), pagesOf(3))
  t.same(claimOf(owner, stored), [])
  t.same(await blobsOf(storage), [])
})

t.test('a large value becomes a blob with its hash in the row, and is read back the same', async (t) => {
  const stored = await storage.pageFacts.store(owner, pagesOf(50_000))
  if (!('blob' in stored)) return t.fail('The value is stored in its row')
  t.ok(JSON.stringify(stored).length < 300)
  t.ok(stored.sizeBytes > limits.inlineBytesMax)
  t.same(claimOf(owner, stored), [
    { blob: { ...owner, name: stored.blob }, sizeBytes: stored.sizeBytes, sha256: stored.sha256 },
  ])
  t.equal(JSON.stringify(await storage.pageFacts.load(owner, stored)), JSON.stringify(pagesOf(50_000)))
  const again = await storage.pageFacts.store(owner, pagesOf(50_000))
  if (!('blob' in again)) return t.fail('The value is stored in its row')
  t.equal(again.sha256, stored.sha256)
  t.not(again.blob, stored.blob, 'each attempt has a blob of its own, so that removing one never harms another')
})

t.test('a blob with other content is an error', async (t) => {
  async function* bytes() {
    yield Buffer.from('{"pages":"none"}')
  }
  await storage.blobs.write({ ...owner, name: 'page-facts-x.json' }, bytes(), { sizeBytesMax: 100 })
  const stored = { blob: 'page-facts-x.json', sizeBytes: 16, sha256: 'x' }
  await t.rejects(storage.pageFacts.load(owner, stored), { message: /page-facts-x.json/ })
})
