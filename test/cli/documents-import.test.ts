// `agents documents import --connection`: names, failures, and a wait that is interrupted or outlives the server.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sha256Of } from '../server/support/uploads.js'
import { freePort } from '../support/free-port.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { agents, printed, records, scratchFolder, start } from './program.js'

t.setTimeout(580_000)
const folder = scratchFolder(t)
const pdf = Buffer.from(onePage('0 0 10 10 re f'))
const sha256 = sha256Of(pdf)
const root = join(folder, 'archive')
mkdirSync(join(root, 'in'), { recursive: true })
writeFileSync(join(root, 'in/a.pdf'), pdf)
const common = `type: filesystem, prefixes: [in], tenants: ['*']`
writeFileSync(
  join(folder, 'steward.yaml'),
  `connections:\n  archive: { root: ${root}, ${common} }\n  gone: { root: ${root}-gone, ${common} }\n`,
)
const port = String(await freePort())
const serve = async () => {
  const server = start(['serve', '--config', 'steward.yaml', '--port', port, '--threads', '1', '--json'], { folder })
  t.teardown(() => server.child.kill('SIGKILL'))
  await printed(server, 'stdout', '\n')
  return server
}
const words = (connection: string, key: string, ...more: readonly string[]) => [
  ...['documents', 'import', '--connection', connection, key, ...more],
]
const background = (connection: string, key: string, ...more: readonly string[]) =>
  words(connection, key, '--async', '--sha256', sha256, ...more)
const run = (all: readonly string[]) => agents(all, { folder })

t.test('imports from a connection', async (t) => {
  let server = await serve()

  await t.test('while the command waits, in the background, and without waiting', async (t) => {
    t.match(await run(words('archive', 'in/a.pdf', '--id', 'one')), { code: 0, stdout: 'one\n' })
    const waited = await run(background('archive', 'in/a.pdf', '--json'))
    t.match(records(waited.stdout), [{ type: 'document', isNew: true, state: 'ready', baseSha: sha256 }])
    const accepted = await run(background('gone', 'in/a.pdf', '--no-wait', '--json'))
    t.equal(accepted.code, 0)
    t.match(records(accepted.stdout), [{ type: 'document', state: 'pending' }])
  })

  await t.test('wrong names and files are refused with what to do', async (t) => {
    t.match(await run(words('archve', 'in/a.pdf')), { code: 1, stderr: /did you mean "archive"\?/ })
    t.match(await run(words('archive', 'in/none.pdf')), { code: 1, stderr: /has no file under this key/ })
    const missing = await run(background('archive', 'in/none.pdf', '--id', 'none', '--json'))
    t.equal(missing.code, 1)
    t.match(records(missing.stdout), [
      { type: 'document', state: 'failed', failureReason: 'source-not-found' },
      { code: 'documents.not-imported', detail: /no file under this key/, fix: /documents delete none/ },
    ])
  })

  await t.test('Ctrl-C ends the wait, not the import', async (t) => {
    const waiting = start(background('gone', 'in/a.pdf', '--id', 'left', '--json'), { folder })
    // The server has accepted it when others can see it.
    while ((await run(['documents', 'show', 'left'])).code !== 0);
    waiting.child.kill('SIGINT')
    const { code, stdout, stderr } = await waiting.ended
    t.equal(code, 130)
    t.match(records(stdout), [{ type: 'document', id: 'left', state: 'pending' }])
    t.match(stderr, /goes on importing it: "agents documents show left"/)
  })

  await t.test('a wait survives a restart of the server', async (t) => {
    const waiting = start(background('gone', 'in/a.pdf', '--id', 'over', '--json'), { folder })
    while ((await run(['documents', 'show', 'over'])).code !== 0);
    server.child.kill('SIGTERM')
    await server.ended
    mkdirSync(`${root}-gone/in`, { recursive: true })
    writeFileSync(`${root}-gone/in/a.pdf`, pdf)
    server = await serve()
    const { code, stdout, stderr } = await waiting.ended
    t.equal(code, 0, stderr)
    t.match(records(stdout), [{ type: 'document', id: 'over', state: 'ready' }])
  })
})
