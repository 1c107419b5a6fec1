// Blobs in a folder: the conformance suite with and without an external digest, and failing disks.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { blobsConformance } from '../../../server/storage/conformance/blobs.js'
import { type Files, nodeFiles } from '../../../server/storage/files.js'
import { FolderBlobs, type FolderBlobsOptions } from '../../../server/storage/folder-blobs.js'
import { DiskFull } from '../../../server/storage/free-space.js'
import { scratchFolder } from '../../cli/scratch.js'
import { FaultyFiles } from './support/faulty-files.js'

const folder = scratchFolder(t)

function open(name: string, options: Partial<FolderBlobsOptions> = {}): Promise<FolderBlobs> {
  const root = join(folder, name)
  mkdirSync(root, { recursive: true })
  return FolderBlobs.open({ folder: join(root, 'blobs'), staging: join(root, 'workshop'), ...options })
}

const digested: string[] = []
async function digest(path: string): Promise<string> {
  digested.push(path)
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

const name = { tenant: 't', document: 'd', name: 'a.pdf' }
async function* content(text = 'content') {
  yield Buffer.from(text)
}

await t.test('hashed during the write', (t) => blobsConformance(t, (name) => open(`streamed-${name}`)))
await t.test('hashed externally', (t) =>
  blobsConformance(t, (name) => open(`digested-${name}`, { digest, hashedHereBytesMax: 0 })),
)

t.test('an external digest is compared with the written bytes before the blob is visible', async (t) => {
  const blobs = await open('asked', { digest, hashedHereBytesMax: 6 })
  digested.length = 0
  await blobs.write(name, content(), { sizeBytesMax: 100 })
  t.equal(digested.length, 1)
  t.ok(digested[0]?.startsWith(blobs.staging))
})

t.test('a small blob is hashed during the write, even with an external digest', async (t) => {
  const blobs = await open('short', { digest, hashedHereBytesMax: 7 })
  digested.length = 0
  const { sha256 } = await blobs.write(name, content('content'), { sizeBytesMax: 100 })
  t.equal(sha256, createHash('sha256').update('content').digest('hex'))
  t.same(digested, [])
})

t.test('files and folders are accessible to the owner only', async (t) => {
  const blobs = await open('modes')
  await blobs.write(name, content(), { sizeBytesMax: 100 })
  const mode = (...path: string[]) => statSync(join(folder, 'modes', ...path)).mode & 0o777
  t.equal(mode('blobs', 't', 'd', 'a.pdf'), 0o600)
  for (const path of [['blobs'], ['workshop'], ['blobs', 't'], ['blobs', 't', 'd']]) t.equal(mode(...path), 0o700)
})

t.test('a blob is synced before its rename, and its folders afterwards', async (t) => {
  const files = new FaultyFiles()
  const blobs = await open('order', { files })
  files.calls.length = 0
  await blobs.write(name, content(), { sizeBytesMax: 100 })
  t.same(files.calls, [
    'create *.part',
    'write *.part',
    'sync *.part',
    'createFolder t',
    'syncFolder blobs',
    'createFolder d',
    'syncFolder t',
    'rename *.part',
    'syncFolder d',
    'remove *.part',
  ])
})

t.test('a write is not disturbed by a deletion that removes its folder meanwhile', async (t) => {
  for (const removed of ['t', 't/d']) {
    let deletions = 0
    const files: Files = {
      ...nodeFiles,
      async rename(from, to) {
        if (to.endsWith('a.pdf') && deletions++ === 0)
          rmSync(join(folder, 'deleted', 'blobs', removed), { recursive: true })
        await nodeFiles.rename(from, to)
      },
      async syncFolder(path) {
        if (deletions === 2 && path.endsWith('/t/d')) rmSync(path, { recursive: true })
        await nodeFiles.syncFolder(path)
      },
    }
    const blobs = await open('deleted', { files })
    await blobs.write(name, content(), { sizeBytesMax: 100 })
    t.equal(deletions, 2, removed)
    t.equal(await blobs.size(name), undefined, 'it is gone with its document')
    t.same(readdirSync(join(folder, 'deleted', 'workshop')), [])
  }
})

t.test('if any call fails, the write fails and leaves no incomplete or temporary file', async (t) => {
  const counted = new FaultyFiles()
  await (await open('counted', { files: counted })).write(name, content(), { sizeBytesMax: 100 })
  // The first calls open the folder; the last one removes the temporary file, which no longer exists.
  const opening = counted.calls.findIndex((call) => call.startsWith('create '))
  for (let call = opening; call < counted.calls.length - 1; call++) {
    for (const code of ['EIO', 'ENOSPC']) {
      const files = new FaultyFiles({ failAt: call, code })
      const root = `failing-${call}-${code}`
      const blobs = await open(root, { files })
      await t.rejects(
        blobs.write(name, content(), { sizeBytesMax: 100 }),
        { code },
        `${code} at ${counted.calls[call]}`,
      )
      const left = readdirSync(join(folder, root, 'blobs'), { recursive: true, encoding: 'utf8' })
      const isRenamed = call > counted.calls.indexOf('rename *.part')
      if (!isRenamed) t.notOk(left.includes('t/d/a.pdf'), `nothing is visible after ${counted.calls[call]}`)
      t.same(readdirSync(join(folder, root, 'workshop')), [], 'the staging is empty')
      await blobs.write(name, content('again'), { sizeBytesMax: 100 })
      t.equal(readFileSync(join(folder, root, 'blobs/t/d/a.pdf'), 'utf8'), 'again', 'the next write works')
    }
  }
})

t.test('a failed removal can be repeated', async (t) => {
  for (const failing of ['rename', 'syncFolder'] as const) {
    let isBroken = false
    const files: Files = {
      ...nodeFiles,
      async [failing](...words: [string, string]) {
        if (isBroken) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
        await nodeFiles[failing](...words)
      },
    }
    const blobs = await open(`removal-${failing}`, { files })
    await blobs.write(name, content(), { sizeBytesMax: 100 })
    isBroken = true
    await t.rejects(blobs.removeAll({ tenant: 't', document: 'd' }), { code: 'EIO' })
    isBroken = false
    await blobs.removeAll({ tenant: 't', document: 'd' })
    t.equal(await blobs.size(name), undefined)
  }
})

t.test('a nearly full disk refuses blobs before and during their write', async (t) => {
  let demands = 0
  const freeSpace = {
    async demand(bytes: number) {
      demands += 1
      if (demands > 2) throw new DiskFull(0, bytes)
    },
  }
  const blobs = await open('full', { freeSpace })
  async function* large() {
    for (let megabytes = 0; megabytes < 64; megabytes++) yield new Uint8Array(1024 * 1024)
  }
  await t.rejects(blobs.write(name, large(), { sizeBytesMax: 1e9 }), { code: 'ENOSPC' })
  await t.rejects(blobs.write(name, content(), { sizeBytesMax: 1e9 }), { code: 'ENOSPC' })
  await t.rejects(blobs.probe(), { code: 'ENOSPC' })
  t.same(readdirSync(join(folder, 'full', 'workshop')), [])
})

t.test('a truncated blob file is an error, not a short read', async (t) => {
  const blobs = await open('shortened', {
    files: { ...nodeFiles, size: async (path) => ((await nodeFiles.size(path)) ?? 0) + 3 },
  })
  await blobs.write(name, content(), { sizeBytesMax: 100 })
  const reading = async () => {
    for await (const _ of blobs.read(name));
  }
  await t.rejects(reading(), { message: /ended 3 bytes early/ })
})
