// `agents store copy`: a stopped deployment moves to a database and back with all its records.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { agentsHere } from './in-process.js'
import { agents, printed, records, scratchFolder, start } from './program.js'

/** Serves the data folder while the work runs, and ends the server as an operator does. */
async function serving(t: Test, folder: string, words: readonly string[], work: () => Promise<void>): Promise<void> {
  const running = start(['serve', '--port', '0', '--threads', '1', '--json', ...words], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', '\n')
  await work()
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0)
}

await t.test('records move from a folder to PostgreSQL and back', needsPostgres, async (t) => {
  const postgres = await PostgresServer.start(t)
  const store = postgres.address()
  const folder = scratchFolder(t)
  const copy = (from: string, to: string) =>
    agentsHere(['store', 'copy', '--json', '--from', from, '--to', to], { folder })
  writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
  let id = ''
  await serving(t, folder, [], async () => {
    id = (await agents(['documents', 'upload', 'a.pdf'], { folder })).stdout.trim()
    const refused = await copy('steward-data', store)
    t.not(refused.code, 0, 'the folder of a running server is not copied')
    t.match(records(refused.stdout), [{ code: 'documents.copy-refused', detail: /server uses .* --from/ }])
  })
  const copied = await agents(['store', 'copy', '--from', 'steward-data', '--to', store, '--json'], { folder })
  t.equal(copied.code, 0, copied.stderr)
  const [summary] = records(copied.stdout)
  t.match(summary, { type: 'store-copied', sha256: /^[0-9a-f]{64}$/ })
  t.ok(Number(summary?.['rows']) > 5)
  await serving(t, folder, ['--store', store], async () => {
    t.match((await agents(['documents', 'list'], { folder })).stdout, id)
    await agents(['documents', 'upload', 'a.pdf'], { folder })
  })

  const again = await copy('steward-data', store)
  t.not(again.code, 0)
  t.match(records(again.stdout), [{ code: 'documents.copy-refused' }], 'a database with records is no target')
  const login = await copy('steward-data', store.replace('correct-horse', 'secret-word'))
  t.match(records(login.stdout), [{ code: 'serve.store-login' }])
  t.notMatch(login.stdout + login.stderr, /secret-word/)

  const back = await copy(store, 'back')
  t.equal(back.code, 0, back.stdout)
  t.ok(Number(records(back.stdout)[0]?.['rows']) > Number(summary?.['rows']), 'with what was written meanwhile')
  t.not((await copy(store, 'back')).code, 0)
})

await t.test('wrong places are refused by name, without passwords, and stay as they were', async (t) => {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'photos'))
  writeFileSync(join(folder, 'photos', 'a.jpg'), '')
  await serving(t, folder, [], async () => {})
  const closed = 'postgres://u:secret-word@127.0.0.1:1/x'
  for (const [from, to, code] of [
    ['nowhere', 'new', 'documents.no-copy-source'],
    ['photos', 'new', 'documents.no-copy-source'],
    ['steward-data', 'steward-data', 'documents.copy-refused'],
    ['steward-data', 'photos', 'serve.data-unfit'],
    ['steward-data', closed, 'serve.store-unreachable'],
    [closed, 'new', 'serve.store-unreachable'],
    ['steward-data', closed.replace('postgres:', 'postgress:'), 'serve.bad-store-address'],
    [closed.replace('//', '/'), 'new', 'serve.bad-store-address'],
    ['steward-data', `${closed}?colour=red`, 'serve.bad-store-address'],
  ] as const) {
    const {
      code: status,
      stdout,
      stderr,
    } = await agentsHere(['store', 'copy', '--json', '--from', from, '--to', to], { folder })
    t.not(status, 0)
    t.match(records(stdout), [{ code }], `${from} to ${to}`)
    t.notMatch(stdout + stderr, /secret-word/)
  }
  t.same(readdirSync(join(folder, 'photos')), ['a.jpg'])
  t.same(readdirSync(folder).sort(), ['photos', 'steward-data'])
})
