// Streamed backups: a standard tar archive, of which only files of a backup are unpacked.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { systemRandom } from '../../core/ports/random.js'
import { restoreBackup } from '../../server/backup/restore.js'
import { receiveBackup, streamBackup } from '../../server/backup/stream.js'
import { decodeHeader, encodeHeader, endOfArchive } from '../../server/backup/tar.js'
import { digestHere, verifyBackup } from '../../server/backup/verify.js'
import { scratchFolder } from '../cli/scratch.js'
import { blobsOf, clock, makeDocument, makeTenant, openScene } from './support/scene.js'

const folder = scratchFolder(t)
const storage = await openScene(join(folder, 'data'))
t.teardown(() => storage.close())
const tenant = await makeTenant(storage, 'acme')
for (const length of [0, 1, 511, 512, 513, 300_000]) {
  await makeDocument(storage, tenant, `report-${length}`, 'x'.repeat(length))
}

const stream = () => streamBackup({ storage, digest: digestHere, clock, random: systemRandom })

async function archive(): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

t.test('a backup received in chunks of any size is complete and can be restored', async (t) => {
  const whole = await archive()
  for (const size of [7, 512, 100_000]) {
    const into = join(folder, `received-${size}`)
    await receiveBackup(inPieces(whole, size), into)
    await restoreBackup({ from: into, folder: join(folder, `restored-${size}`) })
    const restored = await openScene(join(folder, `restored-${size}`))
    t.same(await blobsOf(restored), await blobsOf(storage))
    await restored.close()
  }
})

t.test('tar unpacks it too', async (t) => {
  const into = join(folder, 'by-tar')
  mkdirSync(into)
  execFileSync('tar', ['xf', '-', '-C', into], { input: await archive() })
  t.equal((await verifyBackup(into)).blobs.length, 6)
})

t.test('the server stores nothing of a streamed backup, even if the client disconnects midway', async (t) => {
  await archive()
  for await (const _ of stream()) break
  t.same(readdirSync(storage.blobs.staging), [])
})

t.test('an archive truncated anywhere is refused', async (t) => {
  const whole = await archive()
  for (const length of [0, 100, 512, 5000, whole.length - 2000, whole.length - 1024]) {
    const into = join(folder, `cut-${length}`)
    await t.rejects(receiveBackup(inPieces(whole.subarray(0, length), 1000), into), { name: 'BackupUnfit' })
  }
})

t.test('an archive with one bit changed is refused', async (t) => {
  const whole = await archive()
  for (const at of [3, 700, Math.floor(whole.length / 2)]) {
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await t.rejects(receiveBackup(inPieces(changed, 1000), join(folder, `bit-${at}`)), { name: 'BackupUnfit' })
  }
})

t.test('an archive with files that no backup has writes none of them', async (t) => {
  const paths = [
    '../outside',
    '/tmp/outside',
    'blobs/../../x/outside',
    'blobs/a/b',
    'other',
    'blobs/a/b/c/d',
    'blobs/a/.b/c',
  ]
  for (const [index, path] of paths.entries()) {
    const into = join(folder, 'hostile', `${index}`)
    const bytes = Buffer.concat([encodeHeader({ path, sizeBytes: 0 }), endOfArchive])
    await t.rejects(receiveBackup(inPieces(bytes, 512), into), { name: 'BackupUnfit' }, path)
    t.same(readdirSync(into), [])
  }
  t.notOk(existsSync(join(folder, 'hostile', 'outside')))
})

t.test('a folder that is not empty is left unchanged', async (t) => {
  const into = join(folder, 'taken')
  mkdirSync(into)
  writeFileSync(join(into, 'mine'), 'mine')
  await t.rejects(receiveBackup(stream(), into), { name: 'BackupUnfit' })
  t.equal(readFileSync(join(into, 'mine'), 'utf8'), 'mine')
})

t.test('a response is read to its end or cancelled: an open one would keep the client running', async (t) => {
  let isLeft = false
  async function* arriving(bytes: Uint8Array) {
    try {
      yield* inPieces(bytes, 512)
    } finally {
      isLeft = true
    }
  }
  const whole = await archive()
  await receiveBackup(arriving(whole), join(folder, 'to-its-end'))
  t.ok(isLeft)
  isLeft = false
  const longer = Buffer.concat([whole, Buffer.alloc(512, 1)])
  await t.rejects(receiveBackup(arriving(longer), join(folder, 'longer')), { name: 'BackupUnfit' })
  t.ok(isLeft)
})

t.test('headers can contain sizes beyond the range of octal digits', async (t) => {
  for (const sizeBytes of [0, 1, 8 ** 11 - 1, 8 ** 11, 2 ** 50]) {
    t.same(decodeHeader(encodeHeader({ path: 'blobs/a/b/c', sizeBytes })), { path: 'blobs/a/b/c', sizeBytes })
  }
})
