// Restores into a database and a storage of files, and from them into a folder; interrupted ones start over.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import t, { type Test } from 'tap'
import { agents, printed, records, start } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { holdingProxy } from '../support/engines/holding-proxy.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsSwift, startSwift } from '../support/engines/swift.js'
import { onePage } from '../support/pdf/raw-pdf.js'

const skip = needsPostgres.skip || needsSwift.skip

t.test('backups are restored into engines and back', { skip, timeout: 600_000 }, async (t) => {
  const [postgres, swift] = await Promise.all([PostgresServer.start(t), startSwift(t)])
  const client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  const folder = scratchFolder(t)
  const options = { folder, env: { ...swift.env } }
  const run = (...words: readonly string[]) => agents([...words, '--json'], options)
  const proxy = await holdingProxy(t, swift.endpoint)
  const engines = (name: string, endpoint = swift.endpoint) => [
    ...['--store', postgres.address(name)],
    ...['--blobs', `s3://steward/${name}?endpoint=${endpoint}&pathStyle=true`],
  ]
  const names = ['a', 'b', 'c']
  for (const name of names) writeFileSync(join(folder, `${name}.pdf`), onePage(`0 0 10 ${name.charCodeAt(0)} re f`))

  const keysBelow = async (Prefix: string) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'steward', Prefix }))
    return Contents.map(({ Key }) => Key)
  }
  /** Serves, and returns after the work. */
  const serving = async (words: readonly string[], work: () => Promise<void>) => {
    const running = start(['serve', '--port', '0', '--threads', '1', '--json', ...words], options)
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '\n')
    await work()
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    t.equal(code, 0, stderr.slice(-800))
  }
  const downloads = async (t: Test, data: string) => {
    for (const id of names) {
      const file = `${id}-${data}.pdf`
      const { code, stdout, stderr } = await run('documents', 'download', id, '--out', file, '--data', data)
      t.equal(code, 0, stdout + stderr)
      t.ok(readFileSync(join(folder, file)).equals(readFileSync(join(folder, `${id}.pdf`))))
    }
  }
  await serving(['--data', 'origin'], async () => {
    for (const id of names) {
      t.equal((await run('documents', 'upload', `${id}.pdf`, '--id', id, '--data', 'origin')).code, 0)
    }
    t.equal((await run('documents', 'backup', 'backup-1', '--data', 'origin')).code, 0)
  })

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

  for (const [title, words] of [
    ['a database and a storage', engines('killed', proxy.endpoint)],
    ['a folder and a storage', engines('half', proxy.endpoint).slice(2)],
  ] as const) {
    await t.test(`a killed restore into ${title} is refused by servers until it is repeated`, async (t) => {
      const data = `killed-${words.length}`
      const target = ['--data', data, ...words]
      const held = proxy.hold('PUT', /blobs/)
      const killed = start(['documents', 'restore', 'backup-1', ...target, '--json'], options)
      const { release } = await held
      killed.child.kill('SIGKILL')
      await killed.ended
      release()
      const served = await run('serve', '--port', '0', '--threads', '1', ...target)
      t.not(served.code, 0)
      t.match(served.stdout + served.stderr, /restore/)
      t.match(served.stdout + served.stderr, /serve\.(store-unfinished|data-unfit)/)
      const elsewhere = words.map((word) => word.replace('steward/', 'steward/other-'))
      const other = await run('documents', 'restore', 'backup-1', '--data', data, ...elsewhere)
      t.match(records(other.stdout), [{ code: 'documents.restore-refused' }], 'the mark covers its own files only')
      const repeated = await run('documents', 'restore', 'backup-1', ...target)
      t.equal(repeated.code, 0, repeated.stdout + repeated.stderr)
      await serving(target, () => downloads(t, data))
      t.notOk(readdirSync(join(folder, data)).includes('restoring'))
    })
  }

  await t.test('an unfinished restore is no target of a copy', async (t) => {
    await run('documents', 'restore', 'backup-1', '--data', 'x', ...engines('marked'))
    await postgres.sql(`insert into marked.facts values ('unfinished copy', 'restore elsewhere')`)
    const copied = await run('store', 'copy', '--from', 'origin', '--to', postgres.address('marked'))
    t.match(records(copied.stdout), [{ code: 'documents.copy-refused', detail: /part of a restore/ }])
  })
})
