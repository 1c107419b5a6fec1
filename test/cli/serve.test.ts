// `agents serve` as a process: start, refusals and exit codes.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { onePage } from '../support/pdf/raw-pdf.js'
import { agentsHere } from './in-process.js'
import { agents, printed, program, type Running, records, root, scratchFolder, start } from './program.js'

interface Serving extends Running {
  readonly url: string
  readonly apiToken: string
}

/** Starts a server and ends it with the test, whatever the result. */
async function serve(t: Test, folder: string, ...words: readonly string[]): Promise<Serving> {
  const running = start(['serve', '--port', '0', '--threads', '1', '--json', ...words], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', '\n')
  const [first = ''] = running.seen.stdout.split('\n')
  return { ...running, ...(JSON.parse(first) as { readonly url: string; readonly apiToken: string }) }
}

async function refused(words: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await agentsHere(['serve', '--json', ...words], { folder, env })
  return { code, diagnostics: records(stdout) }
}

t.test('the server needs no configuration, and SIGTERM or SIGINT ends it with 0 and without leftovers', async (t) => {
  const folder = scratchFolder(t)
  const data = join(folder, 'steward-data')
  const first = await serve(t, folder)
  t.same(Object.keys(JSON.parse(first.seen.stdout)), ['url', 'apiToken'])
  t.equal((await fetch(`${first.url}/readyz`)).status, 200)
  t.equal(statSync(data).mode & 0o777, 0o700)
  t.equal(statSync(join(data, 'secrets.json')).mode & 0o777, 0o600)
  t.equal(JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).url, first.url)
  writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
  const { stdout } = await agents(['documents', 'upload', 'a.pdf'], { folder })
  first.child.kill('SIGTERM')
  t.equal((await first.ended).code, 0)
  t.notOk(existsSync(join(data, 'server.json')))
  const second = await serve(t, folder)
  t.equal(second.apiToken, first.apiToken, 'secrets are generated once')
  t.match((await agents(['documents', 'list'], { folder })).stdout, stdout.trim())
  second.child.kill('SIGINT')
  const { code, stderr } = await second.ended
  t.equal(code, 0)
  t.notMatch(stderr, second.apiToken)
  t.notMatch(stderr, 'Deprecation')
})

t.test(
  'a second process and a check are refused while a server runs; leftovers of a killed server are reported and removed',
  async (t) => {
    const folder = scratchFolder(t)
    const first = await serve(t, folder)
    const data = ['--data', join(folder, 'steward-data')]
    t.match(await refused(['--port', '0', ...data], folder), { code: 1, diagnostics: [{ code: 'serve.data-in-use' }] })
    t.match(await refused(['--check', ...data], folder), { code: 1, diagnostics: [{ code: 'serve.data-in-use' }] })
    first.child.kill('SIGKILL')
    await first.ended
    const list = () => agentsHere(['documents', 'list', '--json', ...data], { folder })
    t.match(records((await list()).stdout), [{ code: 'documents.server-gone' }])
    t.equal((await refused(['--check', ...data], folder)).code, 0)
    const third = await serve(t, folder)
    t.same(await list(), { code: 0, stdout: '', stderr: '' })
    third.child.kill('SIGTERM')
    t.equal((await third.ended).code, 0)
  },
)

t.test('a check of damaged data names each finding and ends with 1', async (t) => {
  const folder = scratchFolder(t)
  const server = await serve(t, folder)
  writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
  await agents(['documents', 'upload', 'a.pdf'], { folder })
  server.child.kill('SIGTERM')
  await server.ended
  const strange = join(folder, 'steward-data/blobs/0mwq4bp5f1be9c806b9fe52f9d2a/0mwq4bp7n1f2bf40585d19e3f02b')
  mkdirSync(strange, { recursive: true })
  writeFileSync(join(strange, 'upload.pdf'), 'of nobody')
  const { code, stdout } = await agents(['serve', '--check', '--json'], { folder })
  t.equal(code, 1)
  const found = records(stdout)
  t.match(found[0], { type: 'finding', code: 'data.unnamed-blob', summary: /./, where: /upload\.pdf/ })
  t.match(found.at(-1), { type: 'summary', findings: 1 })
})

t.test('a check of a folder that is not a data folder is refused', async (t) => {
  const folder = scratchFolder(t)
  const { code, diagnostics } = await refused(['--check', '--data', join(folder, 'nothing')], folder)
  t.equal(code, 1)
  t.match(diagnostics, [{ code: 'serve.data-unfit' }])
  t.notOk(existsSync(join(folder, 'nothing')))
})

t.test('a folder with other files is refused and unchanged', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'photo.jpg'), 'mine')
  const run = await refused(['--port', '0', '--data', folder], folder)
  t.match(run, { code: 1, diagnostics: [{ code: 'serve.data-unfit', detail: /photo\.jpg/ }] })
  t.notOk(existsSync(join(folder, 'secrets.json')))
  t.notOk(existsSync(join(folder, 'store')))
})

t.test('a port in use is an error with a fix', async (t) => {
  const folder = scratchFolder(t)
  const other = createServer()
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
  t.teardown(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const run = await refused(['--port', port, '--data', join(folder, 'data')], folder)
  t.match(run, { code: 1, diagnostics: [{ code: 'serve.address-in-use', fix: /--port 0/ }] })
  t.notOk(existsSync(join(folder, 'data/server.json')))
})

t.test(
  'flags take precedence over the environment, the environment over the file, the file over defaults',
  async (t) => {
    const folder = scratchFolder(t)
    writeFileSync(
      join(folder, 'steward.yaml'),
      'port: 1\nthreads: 1\npublicUrl: https://file.example\nlogLevel: silent\n',
    )
    const running = start(['serve', '--config', 'steward.yaml', '--port', '0', '--data', 'here'], {
      folder,
      env: { STEWARD_SERVE_PUBLIC_URL: 'https://docs.example' },
    })
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', 'Reference')
    t.match(running.seen.stdout, 'Serving documents on https://docs.example\n')
    t.match(running.seen.stdout, join(folder, 'here'))
    t.equal((await agents(['documents', 'list', '--data', 'here'], { folder })).stdout, 'No documents.\n')
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    t.equal(code, 0)
    t.equal(stderr, '', 'logLevel is silent, and there is no terminal')
  },
)

t.test('all invalid settings are reported at once, by the names they were passed under', async (t) => {
  const folder = scratchFolder(t)
  const env = { STEWARD_SERVE_THREADS: '0', STEWARD_SERVE_TRUST_PROXY: 'maybe' }
  const { code, diagnostics } = await refused(['--port', 'http', '--log-level', 'loud'], folder, env)
  t.equal(code, 1)
  t.same(
    diagnostics.map((one) => one['code']),
    Array(4).fill('serve.bad-setting'),
  )
  const details = diagnostics.map((one) => one['detail']).join('\n')
  for (const name of ['--port', '--log-level', 'STEWARD_SERVE_THREADS', 'STEWARD_SERVE_TRUST_PROXY'])
    t.match(details, name)
})

t.test('an unknown setting is an error in flags, environment and file, with a suggestion', async (t) => {
  const folder = scratchFolder(t)
  const file = join(folder, 'steward.yaml')
  writeFileSync(file, 'documentByteMax: 1\n')
  t.match((await refused(['--config', file], folder)).diagnostics, [
    { code: 'serve.unknown-setting', detail: /Did you mean "documentBytesMax"/ },
  ])
  t.match((await refused([], folder, { STEWARD_SERVE_PROT: '1' })).diagnostics, [
    { code: 'serve.unknown-setting', detail: /Did you mean "STEWARD_SERVE_PORT"/ },
  ])
  const flag = await agentsHere(['serve', '--prot', '1'], { folder })
  t.equal(flag.code, 64)
  t.match(flag.stderr, 'Did you mean --port?')
  const missing = await refused(['--config', join(folder, 'missing.yaml')], folder)
  t.match(missing.diagnostics, [{ code: 'serve.no-settings-file' }])
})

t.test('without a terminal, the location of the API token is printed instead of the token', async (t) => {
  const folder = scratchFolder(t)
  const running = start(['serve', '--port', '0', '--threads', '1', '--log-level', 'silent'], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', 'Reference')
  const { apiToken } = JSON.parse(readFileSync(join(folder, 'steward-data/secrets.json'), 'utf8'))
  t.match(running.seen.stdout, `API token  in ${join(folder, 'steward-data/secrets.json')}`)
  running.child.kill('SIGTERM')
  const { code, stdout, stderr } = await running.ended
  t.equal(code, 0)
  t.notMatch(stdout + stderr, apiToken)
})

t.test(
  'the server works if its log cannot be written because of a full disk',
  { skip: !existsSync('/dev/full') && 'there is no /dev/full' },
  async (t) => {
    const words = [program, 'serve', '--json', '--port', '0', '--threads', '1']
    const child = spawn(process.execPath, words, {
      cwd: scratchFolder(t),
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const ended = once(child, 'close')
    const [line] = await once(child.stdout ?? child, 'data')
    const { url } = JSON.parse(String(line))
    // Refusals are logged.
    for (let count = 0; count < 50; count++) t.equal((await fetch(`${url}/v1/tenants`)).status, 401)
    child.kill('SIGTERM')
    t.same(await ended, [0, null])
  },
)

t.test(
  'everything in the data folder is accessible to its owner only, whatever the umask and former permissions',
  async (t) => {
    const folder = scratchFolder(t)
    const data = join(folder, 'steward-data')
    mkdirSync(data)
    chmodSync(data, 0o777)
    const umask = process.umask(0)
    const first = await serve(t, folder).finally(() => process.umask(umask))
    writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
    await agents(['documents', 'upload', 'a.pdf'], { folder })
    const openPaths = () =>
      ['', ...readdirSync(data, { recursive: true }).map(String)].filter(
        (name) => (statSync(join(data, name)).mode & 0o077) !== 0,
      )
    t.same(openPaths(), [])
    first.child.kill('SIGTERM')
    await first.ended
    t.same(openPaths(), [])
    for (const name of readdirSync(join(data, 'store'))) chmodSync(join(data, 'store', name), 0o644)
    const second = await serve(t, folder)
    t.same(openPaths(), [], 'files of an earlier version too')
    second.child.kill('SIGTERM')
    await second.ended
  },
)

t.test('the process list contains no token and no URL of a running import', async (t) => {
  const folder = scratchFolder(t)
  const silent = createServer().listen(0, '127.0.0.1')
  const connected = once(silent, 'connection')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const secrets = ['--url', `http://127.0.0.1:${port}`, '--token', 'stw_secret-0123456789']
  const { child, ended } = start(['documents', 'import', 'https://secret.example/a.pdf', ...secrets], { folder })
  await connected
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' })
  t.match(stdout, /agents documents/)
  t.notMatch(stdout, /secret/)
  child.kill('SIGKILL')
  await ended
})

t.test('links for people begin with the public address', async (t) => {
  const folder = scratchFolder(t)
  const publicUrl = ['--public-url', 'https://docs.example/documents/']
  const running = start(['serve', '--port', '0', '--data', 'here', '--threads', '1', ...publicUrl], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', 'Reference')
  const documents = (...words: readonly string[]) => agents(['documents', ...words, '--data', 'here'], { folder })
  const agreement = join(root, 'examples/documents/agreement.pdf')
  t.equal((await documents('upload', agreement, '--id', 'agreement')).code, 0)
  t.match((await documents('share', 'agreement')).stdout, /^https:\/\/docs\.example\/documents\/s\/shr_/)
  t.match((await documents('open', 'agreement')).stdout, /^https:\/\/docs\.example\/documents\/view\/agreement#token=/)
})

t.test('listening on other addresses without TLS logs a warning, as a JSON line', async (t) => {
  const logOf = async (...more: readonly string[]) => {
    const folder = scratchFolder(t)
    const running = start(['serve', '--port', '0', '--data', 'here', '--threads', '1', ...more], { folder })
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', 'Reference')
    running.child.kill('SIGTERM')
    const { stderr } = await running.ended
    return records(stderr).filter(({ level }) => level === 40)
  }
  t.match(await logOf('--host', '0.0.0.0'), [{ host: '0.0.0.0', msg: /plain HTTP/ }])
  t.same(await logOf('--host', '0.0.0.0', '--public-url', 'https://docs.example'), [])
  t.same(await logOf('--host', '0.0.0.0', '--trust-proxy'), [])
  t.same(await logOf(), [])
})
