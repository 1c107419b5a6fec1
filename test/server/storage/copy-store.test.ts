// Rows copied from a folder to PostgreSQL and back are the same bytes; what a restore leaves of its store.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { copyStore } from '../../../server/backup/copy-store.js'
import { restoreBackup } from '../../../server/backup/restore.js'
import { folderMark, rowsInFolder } from '../../../server/backup/restored-rows.js'
import { dataFolderAt, layOut } from '../../../server/storage/data-folder.js'
import { PostgresStore } from '../../../server/storage/postgres/postgres-store.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { makeDocument, makeTenant, openScene } from '../support/scene.js'

await t.test('a copy to PostgreSQL and back', needsPostgres, async (t) => {
  const postgres = await PostgresServer.start(t)
  const folder = scratchFolder(t)
  const storage = await openScene(folder)
  const tenant = await makeTenant(storage, 'acme')
  await makeDocument(storage, tenant, 'report', '%PDF content')
  await t.rejects(copyStore({ from: folder, to: postgres.address() }), { name: 'FolderInUse' })
  await storage.close()
  const there = await copyStore({ from: folder, to: postgres.address() })
  t.ok(there.rows > 5)
  await t.rejects(copyStore({ from: folder, to: postgres.address() }), { name: 'CopyRefused' })
  await postgres.sql(`insert into steward.facts values ('unfinished copy', 'killed'); delete from steward.rows
    where key in (select key from steward.rows limit 2)`)
  await t.rejects(PostgresStore.open({ address: postgres.address() }), { name: 'StoreUnfit', reason: 'unfinished' })
  const other = await PostgresStore.open({ address: postgres.address(), isCopyTarget: true })
  t.equal(await other.reserve(), true)
  await t.rejects(copyStore({ from: folder, to: postgres.address() }), { message: /Another copy or restore/ })
  const restore = restoreBackup({ from: folder, folder: scratchFolder(t), engines: { store: postgres.address() } })
  await t.rejects(restore, { name: 'RestoreRefused', message: /Another copy or restore/ })
  await other.close()
  t.same(await copyStore({ from: folder, to: postgres.address() }), there, 'an interrupted copy starts over')
  t.same(await copyStore({ from: postgres.address(), to: join(scratchFolder(t), 'back') }), there)
})

await t.test('a restore removes the empty store that it or an earlier one made, and no other', async (t) => {
  for (const [title, wasThere, isInterrupted, stays] of [
    ['made by it', false, false, false],
    ['found', true, false, true],
    ['left by an interrupted one', true, true, false],
  ] as const) {
    const data = dataFolderAt(scratchFolder(t))
    await layOut(data)
    if (wasThere) await (await rowsInFolder(data)).close()
    if (isInterrupted) await folderMark(data).write('{}')
    const rows = await rowsInFolder(data)
    await rows.discard()
    await rows.close()
    t.equal(existsSync(data.store), stays, title)
  }
})
