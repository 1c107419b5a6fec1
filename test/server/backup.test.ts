// Backups of a running store: consistent while it changes, whole or refused, and restored to what they were made of.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { digestHere, verifyBackup } from '../../server/backup/verify.js'
import { writeBackup } from '../../server/backup.js'
import { checkStorage } from '../../server/check.js'
import { Deletions } from '../../server/deletion/deletions.js'
import { flipDocument } from '../../server/deletion/flip.js'
import { restoreBackup } from '../../server/restore.js'
import type { Storage } from '../../server/storage/open-storage.js'
import { scratchFolder } from '../cli/scratch.js'
import { announce, blobsOf, clock, makeDocument, makeTenant, openScene, upload } from './support/scene.js'

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

t.test('what is restored is what was backed up, byte for byte', async (t) => {
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

t.test('blobs of a backup on the same disk take no room of their own', async (t) => {
  const folder = scratchFolder(t)
  const storage = await open(t, join(folder, 'data'))
  const tenant = await makeTenant(storage, 'acme')
  const { document } = await makeDocument(storage, tenant, 'report')
  await backup(storage, join(folder, 'backup'))
  const path = join('blobs', tenant, document, 'upload.pdf')
  t.equal(statSync(join(folder, 'backup', path)).ino, statSync(join(folder, 'data', path)).ino)
})

t.test('what is written and deleted while a backup is made is in it whole or not at all', async (t) => {
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

t.test('what is being deleted may lack its blobs; its sweep goes on where the backup is restored', async (t) => {
  const storage = await open(t)
  const tenant = await makeTenant(storage, 'acme')
  const made = await makeDocument(storage, tenant, 'going')
  await flipDocument({ storage, clock }, made)
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

t.test('an upload on its way is restored as announced, without its bytes', async (t) => {
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

t.test('a damaged or missing blob refuses the backup, which then has no manifest', async (t) => {
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
  writeFileSync(join(folder, 'new', 'secrets.json'), '{}')
  await restoreBackup({ from: join(folder, 'backup'), folder: join(folder, 'new') })
  t.equal(readFileSync(join(folder, 'new', 'secrets.json'), 'utf8'), '{}', 'the secrets of the server stay')
})

t.test('a backup that was cut off or changed anywhere is refused before anything is restored', async (t) => {
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
