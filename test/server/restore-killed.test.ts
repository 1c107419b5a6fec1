// Restores into engines that are killed: servers refuse what they left, and the next one starts over.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { records, start } from '../cli/program.js'
import { needsEngines, startRestoring } from './support/restoring.js'

t.test('interrupted restores into engines start over', { ...needsEngines, timeout: 600_000 }, async (t) => {
  const { postgres, folder, options, run, proxy, engines, serving, downloads } = await startRestoring(t)

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
