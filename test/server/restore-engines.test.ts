// Restores into a database and a storage of files, and from them into a folder; files belong to one deployment.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DeleteObjectCommand } from '@aws-sdk/client-s3'
import t from 'tap'
import { agents, records } from '../cli/program.js'
import { needsEngines, startRestoring } from './support/restoring.js'

t.test('backups are restored into engines and back', { ...needsEngines, timeout: 600_000 }, async (t) => {
  const { postgres, client, folder, options, run, engines, keysBelow, serving, downloads } = await startRestoring(t)

  await t.test('folder to engines, engines to engines, engines to folder', async (t) => {
    const restored = await run('documents', 'restore', 'backup-1', '--data', 'one', ...engines('one'))
    t.equal(restored.code, 0, restored.stdout + restored.stderr)
    await serving(['--data', 'one', ...engines('one')], async () => {
      await downloads(t, 'one')
      t.equal((await run('documents', 'backup', 'backup-2', '--data', 'one')).code, 0)
    })
    // As in an installation, by variables.
    const [, store = '', , blobs = ''] = engines('two')
    const env = { ...options.env, STEWARD_SERVE_STORE: store, STEWARD_SERVE_BLOBS: blobs }
    const words = ['documents', 'restore', 'backup-2', '--data', 'two', '--json']
    await serving(['--data', 'two', '--store', store], async () => {
      const { stdout } = await agents(words, { folder, env })
      t.match(records(stdout), [{ code: 'documents.restore-refused', detail: /server runs on the database/ }])
    })
    await postgres.sql(`drop schema two cascade`)
    t.equal((await agents(words, { folder, env })).code, 0)
    t.equal((await keysBelow('two/deployments/')).length, 1, 'the restored files belong to the restored records')
    await serving(['--data', 'two', ...engines('two')], () => downloads(t, 'two'))
    t.equal((await run('documents', 'restore', 'backup-2', '--data', 'three')).code, 0)
    await serving(['--data', 'three'], () => downloads(t, 'three'))
    t.match((await run('serve', '--check', '--data', 'three')).stdout, '"findings":0')
  })

  await t.test('files in a storage belong to one deployment, wherever its records move', async (t) => {
    const [, store = '', ...files] = engines('one')
    const isRefused = async (words: readonly string[]) => {
      const { stdout, stderr } = await run('serve', '--port', '0', ...words)
      t.match(records(stdout), [{ code: 'serve.other-files', detail: /another deployment/ }], stderr)
    }
    await isRefused(['--data', 'four', ...files])
    for (const Key of await keysBelow('one/deployments/'))
      await client.send(new DeleteObjectCommand({ Bucket: 'steward', Key }))
    const unclaimed = await run('serve', '--port', '0', '--data', 'four', ...files)
    t.match(records(unclaimed.stdout), [{ code: 'serve.other-files', detail: /no record of this server names/ }])
    t.equal((await run('store', 'copy', '--from', store, '--to', 'moved')).code, 0)
    await serving(['--data', 'moved', ...files], () => downloads(t, 'moved'))
    await isRefused(['--data', 'one', ...engines('one')])
    rmSync(join(folder, 'moved/deployment-id'))
    await serving(['--accept-moved-files', '--data', 'moved', ...files], () => downloads(t, 'moved'))
    await isRefused(['--data', 'one', ...engines('one')])
    await serving(['--accept-moved-files', '--data', 'one', ...engines('one')], async () => {})
  })

  await t.test('a server that looks for its files in the wrong place does not start', async (t) => {
    const misplaced = { code: 'serve.other-files', detail: /none of the first 3 is where this process looks/ }
    const [store = '', address = '', blobs = '', files = ''] = engines('two')
    const elsewhere = files.replace('steward/two', 'steward/elsewhere')
    for (const words of [
      [store, address, blobs, elsewhere],
      ['--data', 'moved'],
    ]) {
      const { stdout, stderr } = await run('serve', '--port', '0', '--threads', '1', '--data', 'two', ...words)
      t.match(records(stdout), [misplaced], stderr)
    }
    t.same(await keysBelow('elsewhere/'), [])
    await serving(['--data', 'two', ...engines('two')], () => downloads(t, 'two'))
  })

  await t.test('several processes of an embedded store share a new storage', async () => {
    const words = ['--data', 'several', '--processes', '2', ...engines('several').slice(2)]
    await serving(words, async () => {
      t.equal((await run('documents', 'upload', 'a.pdf', '--id', 'a', '--data', 'several')).code, 0)
    })
  })

  await t.test('a target that is not empty is refused by name, and stays as it was', async (t) => {
    const again = await run('documents', 'restore', 'backup-1', '--data', 'one', ...engines('one'))
    t.match(records(again.stdout), [{ code: 'documents.restore-refused', detail: /database already has records/ }])
    const words = ['--store', postgres.address('new'), ...engines('one').slice(2)]
    const files = await run('documents', 'restore', 'backup-1', '--data', 'new', ...words)
    t.match(records(files.stdout), [{ code: 'documents.restore-refused', detail: /files in s3:\/\/steward\/one/ }])
    t.notMatch(again.stdout + files.stdout + files.stderr, /correct-horse/)
    await serving(['--data', 'one', ...engines('one')], () => downloads(t, 'one'))
  })
})
