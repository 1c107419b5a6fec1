// Backups of a running store: consistent during writes, complete or refused, and restored to the same data.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writeBackup } from '../../server/backup/backup.js'
import { restoreBackup } from '../../server/backup/restore.js'
import { digestHere, verifyBackup } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import { Deletions } from '../../server/deletion/deletions.js'
import { markDocumentDeleting } from '../../server/deletion/mark-deleting.js'
import type { Leases } from '../../server/storage/leases.js'
import type { Storage } from '../../server/storage/open-storage.js'
import { rowKinds } from '../../server/storage/row-kinds.js'
import { scratchFolder } from '../cli/scratch.js'
import { announce, blobsOf, clock, makeDocument, makeShare, makeTenant, openScene, upload } from './support/scene.js'

async function open(t: Test, folder = scratchFolder(t)): Promise<Storage> {
  const storage = await openScene(folder)
  t.teardown(() => storage.close())
  return storage
}

async function rowsOf({ store }: Storage): Promise<readonly string[]> {
  const rows: string[] = []
  for await (const { key, value } of store.range({ from: Uint8Array.of(0), to: Uint8Array.of(0xff) })) {
    rows.push(`${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`)
  }
  return rows
}

const backup = (storage: Storage, into: string) => writeBackup({ storage, into, digest: digestHere, clock })
const isHealthy = async (t: Test, folder: string) => {
  await checkStorage({ folder, digest: digestHere, report: (finding) => t.fail(`${finding.code} ${finding.where}`) })
}

t.test('a restore yields exactly the bytes that were backed up', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  for (let index = 0; index < 30; index++) await makeDocument(storage, tenant, `report-${index}`)
  const into = join(scratchFolder(t), 'backup')
  const manifest = await backup(storage, into)
  t.equal(manifest.blobs.length, 30)
  await verifyBackup(into)
  const folder = join(scratchFolder(t), 'data')
  await restoreBackup({ from: into, folder })
  await isHealthy(t, folder)
  const restored = await open(t, folder)
  t.same(await rowsOf(restored), await rowsOf(storage))
  t.same(await blobsOf(restored), await blobsOf(storage))
})

t.test('blobs of a backup on the same disk are hard links', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  const tenant = await makeTenant(storage, 'acme')
  const { document } = await makeDocument(storage, tenant, 'report')
  await backup(storage, join(folder, 'backup'))
  const path = join('blobs', tenant, document, 'upload.pdf')
  t.equal(statSync(join(folder, 'backup', path)).ino, statSync(join(folder, 'data', path)).ino)
})

t.test('a concurrent write or deletion is in the backup completely or not at all', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = []
  for (let index = 0; index < 40; index++) made.push(await makeDocument(storage, tenant, `before-${index}`))
  const deletions = new Deletions({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  t.teardown(() => deletions.stop())
  const into = join(scratchFolder(t), 'backup')
  const [manifest] = await Promise.all([
    backup(storage, into),
    ...made.slice(0, 20).map(async (document) => (await deletions.deleteDocument(document)).swept),
    (async () => {
      for (let index = 0; index < 20; index++) await makeDocument(storage, tenant, `meanwhile-${index}`)
    })(),
  ])
  t.ok(manifest.blobs.length >= 20)
  const folder = join(scratchFolder(t), 'data')
  await restoreBackup({ from: into, folder })
  await isHealthy(t, folder)
})

t.test('a pending deletion may lack its blobs; its sweep continues after the restore', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'going')
  await markDocumentDeleting({ storage, clock }, made)
  await storage.blobs.removeAll(made)
  const into = join(scratchFolder(t), 'backup')
  t.same((await backup(storage, into)).blobs, [])
  const folder = join(scratchFolder(t), 'data')
  await restoreBackup({ from: into, folder })
  const restored = await open(t, folder)
  const deletions = new Deletions({ storage: restored, clock, onFailure: (error) => t.fail(String(error)) })
  await deletions.resume()
  await deletions.stop()
  t.equal(await restored.tables.documents.get([made.tenant, made.document]), undefined)
})

t.test('an upload in flight is restored as announced, without its bytes', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const pending = await announce(storage, tenant, 'pending')
  await upload(storage, pending, 'half of it')
  const into = join(scratchFolder(t), 'backup')
  await backup(storage, into)
  const folder = join(scratchFolder(t), 'data')
  await restoreBackup({ from: into, folder })
  const restored = await open(t, folder)
  t.equal((await restored.tables.documents.get([tenant, pending.document]))?.state, 'pending')
})

t.test('a backup with a damaged or missing blob is refused, and has no manifest', async (t) => {
  for (const damage of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, 'x')]) {
    const folder = scratchFolder(t)
    const storage = await open(t, join(folder, 'data'))
    const tenant = await makeTenant(storage, 'acme')
    const { document } = await makeDocument(storage, tenant, 'report')
    damage(join(folder, 'data', 'blobs', tenant, document, 'upload.pdf'))
    await t.rejects(backup(storage, join(folder, 'backup')), { name: 'BackupUnfit', message: /--check/ })
    t.notOk(existsSync(join(folder, 'backup', 'backup.json')))
  }
})

t.test('a backup goes only into a folder of its own, a restore only into an empty one', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  await t.rejects(backup(storage, join(folder, 'data')), { name: 'BackupUnfit' })
  await backup(storage, join(folder, 'backup'))
  await t.rejects(backup(storage, join(folder, 'backup')), { name: 'BackupUnfit' })
  const taken = restoreBackup({ from: join(folder, 'backup'), folder: join(folder, 'data') })
  await t.rejects(taken, { name: 'DataFolderUnfit', message: /not empty/ })
  mkdirSync(join(folder, 'new'))
  writeFileSync(join(folder, 'new', 'secrets.json'), '{}', { mode: 0o600 })
  await restoreBackup({ from: join(folder, 'backup'), folder: join(folder, 'new') })
  t.equal(readFileSync(join(folder, 'new', 'secrets.json'), 'utf8'), '{}', 'the secrets of the server stay')
})

t.test('a truncated or modified backup is refused before anything is restored', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  const tenant = await makeTenant(storage, 'acme')
  const { document } = await makeDocument(storage, tenant, 'report')
  const damages: readonly ((backup: string) => void)[] = [
    (path) => rmSync(join(path, 'backup.json')),
    (path) => writeFileSync(join(path, 'backup.json'), '{'),
    (path) => truncateSync(join(path, 'rows.bin'), 10),
    (path) => rmSync(join(path, 'rows.bin')),
    (path) => rmSync(join(path, 'blobs', tenant, document, 'upload.pdf')),
  ]
  for (const [index, damage] of damages.entries()) {
    const from = join(folder, `backup-${index}`)
    await backup(storage, from)
    damage(from)
    const into = join(folder, `restored-${index}`)
    await t.rejects(restoreBackup({ from, folder: into }), { name: 'BackupUnfit' })
    t.same(readdirSync(into), [])
  }
})

t.test('a backup made at any step of a deletion contains none of its data, and can be restored', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  await makeDocument(storage, tenant, 'kept')
  const made = await makeDocument(storage, tenant, 'going')
  for (let index = 0; index < 300; index++) await makeShare(storage, made, `shr_${index}`)
  const other = await makeTenant(storage, 'other')
  await makeDocument(storage, other, 'others')
  let backups = 0
  const leases: Leases = {
    hold: (name, work, signal) => storage.leases.hold(name, work, signal),
    tryHold: (name, work) => storage.leases.tryHold(name, work),
    holdExclusively: async (name, work, signal) => {
      const result = await storage.leases.holdExclusively(name, work, signal)
      if (name === 'removals') await verifyNow()
      return result
    },
    isShared: true,
    waiting: 0,
    probe: () => storage.leases.probe(),
    close: () => storage.leases.close(),
  }
  async function verifyNow() {
    backups += 1
    const into = join(scratchFolder(t), 'backup')
    const { blobs } = await backup(storage, into)
    t.same(
      blobs.filter(({ document }) => document === made.document),
      [],
    )
    t.notOk(readFileSync(join(into, 'rows.bin')).includes('shr_7'))
    const folder = join(scratchFolder(t), 'data')
    await restoreBackup({ from: into, folder })
    const restored = await openScene(folder)
    t.ok(await restored.tables.documentIds.get(['kept']))
    await restored.close()
  }
  const onFailure = (error: unknown) => t.fail(String(error))
  const deletions = new Deletions({ storage: { ...storage, leases }, clock, onFailure })
  await (await deletions.deleteDocument(made)).swept
  await (await deletions.deleteTenant(other)).sweepEnded
  await deletions.stop()
  t.ok(backups > 6, `${backups} backups`)
})

t.test('a backup whose manifest has paths outside its folder is refused, and nothing is written', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  const from = join(folder, 'backup')
  const manifest = await backup(storage, from)
  const path = join(from, 'backup.json')
  for (const member of ['tenant', 'document', 'name']) {
    for (const part of ['..', '.', '', '../../etc', 'a/b', 'a\u0000b']) {
      const blobs = manifest.blobs.map((blob) => ({ ...blob, [member]: part }))
      writeFileSync(path, JSON.stringify({ ...manifest, blobs }))
      await t.rejects(
        restoreBackup({ from, folder: join(folder, 'new') }),
        { name: 'BackupUnfit' },
        `${member} ${part}`,
      )
      t.same(readdirSync(join(folder, 'new')), [])
    }
  }
})

t.test('links and pipes in a backup are refused, and restored files have the mode of the server', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  const from = join(folder, 'backup')
  await backup(storage, from)
  const manifest = join(from, 'backup.json')
  const [blob = ''] = filesBelow(join(from, 'blobs'))
  chmodSync(blob, 0o444)
  await restoreBackup({ from, folder: join(folder, 'readable') })
  for (const path of filesBelow(join(folder, 'readable', 'blobs'))) t.equal(statSync(path).mode & 0o777, 0o600, path)
  for (const path of [blob, manifest]) {
    renameSync(path, join(folder, 'outside'))
    symlinkSync(join(folder, 'outside'), path)
    const refused = { name: 'BackupUnfit', message: /no regular file/ }
    await t.rejects(restoreBackup({ from, folder: join(folder, 'new') }), refused)
    rmSync(path)
    execFileSync('mkfifo', [path])
    await t.rejects(restoreBackup({ from, folder: join(folder, 'new') }), refused)
    rmSync(path)
    renameSync(join(folder, 'outside'), path)
  }
})

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

t.test('a restore that fails leaves the folder as it was, so that another backup can be restored there', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  const { tenant, document } = await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  await backup(storage, join(folder, 'sound'))
  const lost = [rowKinds.pageFacts.key([tenant, document, 1]), rowKinds.documentIds.key(['report'])]
  await storage.store.commit({ expect: [], put: [], delete: lost })
  await backup(storage, join(folder, 'damaged'))
  const into = join(folder, 'new')
  mkdirSync(into)
  writeFileSync(join(into, 'secrets.json'), '{}')
  await t.rejects(restoreBackup({ from: join(folder, 'damaged'), folder: into }), { name: 'BackupUnfit' })
  t.same(readdirSync(into), ['secrets.json'])
  await restoreBackup({ from: join(folder, 'sound'), folder: into })
  await isHealthy(t, into)
})

t.test('a data folder whose restore was interrupted is not served', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'restoring'), '')
  await t.rejects(openScene(folder), { name: 'DataFolderUnfit', message: /restore again/ })
})

t.test('a data folder of another format is not opened', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'format.json'), '{"format":99}')
  await t.rejects(openScene(folder), { name: 'DataFolderUnfit', message: /format 99/ })
  writeFileSync(join(folder, 'format.json'), 'what?')
  await t.rejects(openScene(folder), { name: 'DataFolderUnfit' })
})
