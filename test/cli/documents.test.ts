// `documents` commands against a server in this process: output, refusals and exit codes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { judged, needs } from '../support/pdf/judges.js'
import { agentsHere, type RunHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data, settings: { importHttp: true, importAllow: ['127.0.0.1/32'] } })
const report = join(folder, 'report.pdf')
writeFileSync(report, await reportOf(3))

const here = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }

function documents(words: readonly string[], options: { env?: Record<string, string>; input?: string } = {}) {
  return agentsHere(['documents', ...words], { folder, env: here, ...options })
}

async function reportOf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let number = 1; number <= pages; number++) pdf.addPage([400, 600]).drawText(`Report, page ${number}`)
  return pdf.save()
}

/** Returns the command's only diagnostic under --json. */
function problemOf({ stdout }: RunHere): Readonly<Record<string, unknown>> {
  const [problem = {}, ...more] = records(stdout).filter(({ type }) => type === 'diagnostic')
  if (more.length > 0) throw new Error(stdout)
  return problem
}

async function uploaded(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await documents(['upload', ...words])
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

t.test('a new server has no documents, and an unknown tenant is an error', async (t) => {
  t.equal((await documents(['list'])).stdout, 'No documents.\n')
  const run = await documents(['list', '--tenant', 'amce', '--json'])
  t.match(problemOf(run), { code: 'documents.no-tenant', detail: /amce/ })
})

t.test('a file is uploaded, shown, listed, read, drawn, downloaded and deleted', async (t) => {
  const id = await uploaded('report.pdf')
  t.match(id, /^doc_[\w-]{20}$/)
  t.match((await documents(['show', id])).stdout, /State +ready\n/)
  t.match((await documents(['list', '--state', 'ready'])).stdout, `${id}  ready`)
  t.equal((await documents(['text', id, '--page', '2'])).stdout.trim(), 'Report, page 2')
  t.match((await documents(['text', id])).stdout, /page 1\n[\s\S]*page 2\n[\s\S]*page 3\n/)
  const drawn = await documents(['render', id, '--page', '3', '--width', '123', '--out', 'page.png'])
  t.equal(drawn.stdout, 'page.png\n')
  t.equal(readFileSync(join(folder, 'page.png')).readUInt32BE(16), 123, 'width in the PNG header')
  t.equal((await documents(['download', id])).stdout, `${id}.pdf\n`)
  t.same(readFileSync(join(folder, `${id}.pdf`)), readFileSync(report))
  await documents(['download', id, '--layer', 'default', '--out', 'layer.pdf'])
  t.same(readFileSync(join(folder, 'layer.pdf')), readFileSync(report))
  t.equal((await documents(['delete', '--yes', id])).stdout, `Removed ${id}.\n`)
  t.equal(problemOf(await documents(['show', id, '--json']))['code'], 'documents.refused')
})

t.test('--json prints one record a line, with the members of the server', async (t) => {
  const [made = {}] = records((await documents(['upload', '--json', '--id', 'as-json', 'report.pdf'])).stdout)
  t.match(made, { type: 'document', id: 'as-json', isNew: true, state: 'ready', metadata: { fileName: 'report.pdf' } })
  const [again = {}] = records((await documents(['upload', '--json', '--reuse', 'report.pdf'])).stdout)
  t.match(again, { type: 'document', isNew: false, baseSha: made['baseSha'] })
  t.match(records((await documents(['list', '--json'])).stdout), [{ type: 'document', id: 'as-json' }])
  t.match(records((await documents(['text', 'as-json', '--page', '1', '--json'])).stdout), [
    { type: 'text', pageKey: /^obj:\d+$/, text: /Report, page 1/ },
  ])
  t.match(records((await documents(['delete', '--yes', 'as-json', '--json'])).stdout), [
    { type: 'deleted', id: 'as-json' },
  ])
})

t.test('without a terminal to ask on, nothing is deleted but with --yes', async (t) => {
  const id = await uploaded('report.pdf')
  const run = await documents(['delete', id, '--json'])
  t.equal(run.code, 64)
  t.match(problemOf(run), { code: 'cli.consent-missing', detail: /agents documents delete/, fix: 'Add --yes.' })
  t.match((await documents(['show', id])).stdout, /State +ready\n/)
  t.equal((await documents(['delete', '-y', id])).code, 0)
})

t.test(
  'files that are not accepted are reported one by one, the others are stored, and the exit code is 3',
  async (t) => {
    writeFileSync(join(folder, 'notes.txt'), 'not a PDF')
    writeFileSync(join(folder, 'empty.pdf'), '')
    const run = await documents(['upload', 'notes.txt', 'missing.pdf', 'empty.pdf', 'report.pdf'])
    t.equal(run.code, 3)
    t.match(run.stdout, /^doc_[\w-]{20}\n$/)
    for (const code of ['documents.not-taken', 'documents.no-file']) t.match(run.stderr, `[${code}]`)
    t.match(run.stderr, 'missing.pdf cannot be read')
    t.match(run.stderr, 'empty.pdf is empty')
    t.equal((await documents(['upload', 'notes.txt'])).code, 1)
    t.equal(problemOf(await documents(['upload', '--id', 'x', '--json', 'a.pdf', 'b.pdf']))['code'], 'documents.one-id')
  },
)

t.test('the error for a missing page names the number of pages', async (t) => {
  const id = await uploaded('report.pdf')
  const run = await documents(['render', id, '--page', '4'])
  t.equal(run.code, 1)
  t.match(run.stderr, 'There is no page 4; the document has 3.')
})

t.test('an encrypted document is read with the password of the environment or of stdin', needs('qpdf'), async (t) => {
  judged('qpdf', ['--encrypt', 'open sesame', 'owner', '256', '--', report, join(folder, 'locked.pdf')])
  const id = await uploaded('locked.pdf')
  const locked = await documents(['text', id, '--json'])
  t.match(problemOf(locked), { detail: /^DocPasswordRequired/, fix: /STEWARD_DOCUMENT_PASSWORD/ })
  const env = { ...here, STEWARD_DOCUMENT_PASSWORD: 'open sesame' }
  t.match((await documents(['text', id], { env })).stdout, 'Report, page 1')
  t.match((await documents(['text', id, '--password'], { input: 'open sesame\n' })).stdout, 'Report, page 1')
  t.match(problemOf(await documents(['text', id, '--password', '--json'], { input: 'wrong\n' })), {
    detail: /^DocPasswordIncorrect/,
  })
  t.equal(problemOf(await documents(['render', id, '--password', '--json']))['code'], 'documents.no-secret')
  await documents(['download', id, '--out', 'still-locked.pdf'])
  t.same(readFileSync(join(folder, 'still-locked.pdf')), readFileSync(join(folder, 'locked.pdf')))
  t.notMatch(server.log(), 'sesame')
})

t.test('a share takes its passphrase from stdin, and prints a link with the token that a page exchanges', async (t) => {
  const id = await uploaded('report.pdf')
  const { stdout } = await documents(['share', id, '--passphrase'], { input: 'friend\n' })
  t.ok(stdout.startsWith(`${server.url}/s/`))
  t.match(await (await fetch(stdout.trim())).text(), '<script type="module"')
  const shareToken = stdout.trim().split('/').at(-1)
  const exchange = (password: string) =>
    fetch(`${server.url}/v1/share-sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://example.com' },
      body: JSON.stringify({ shareToken, password }),
    })
  t.equal((await exchange('foe')).status, 422)
  t.equal((await exchange('friend')).status, 200)
})

t.test('a share shows the named layer, and ends after the given minutes', async (t) => {
  const id = await uploaded('report.pdf')
  const [share] = records((await documents(['share', id, '--layer', 'legal', '--minutes', '5', '--json'])).stdout)
  t.equal(share?.['layerName'], 'legal')
  t.ok(Math.abs(Number(share?.['expiresAt']) - Date.now() - 5 * 60_000) < 60_000)
})

t.test('a share gives what presets name, by default reading', async (t) => {
  const id = await uploaded('report.pdf')
  const scopeOf = async (...words: readonly string[]) =>
    records((await documents(['share', id, ...words, '--json'])).stdout)[0]?.['scope']
  const reading = (await scopeOf()) as readonly string[]
  t.ok(reading.includes('doc.open') && !reading.some((one) => /annotat.*modify|annotations:|download/.test(one)))
  t.same(await scopeOf('--scope', 'comment', '--scope', 'print'), [
    ...reading,
    'annotations:*:self',
    'doc.print',
    'doc.print.high',
  ])
  t.same(await scopeOf('--scope', 'doc.open'), ['doc.open'], 'other words are scopes themselves')
})

t.test('what a tenant, a share and a link may store is shown and set', async (t) => {
  const id = await uploaded('report.pdf', '--tenant', 'bounded')
  const limits = async (...words: readonly string[]) =>
    records((await documents(['limits', '--tenant', 'bounded', ...words, '--json'])).stdout)[0] ?? {}
  const shown = await limits()
  t.match(shown, {
    type: 'limits',
    tenantId: 'bounded',
    bytesMax: 2 ** 40,
    shareBytesMax: 2 ** 30,
    tokenBytesMax: 2 ** 33,
  })
  t.ok(Number(shown['storedBytes']) > 500)
  t.match(await limits('--bytes-max', '600'), { bytesMax: 600 })
  const full = problemOf(await documents(['upload', 'report.pdf', '--id', 'more', '--tenant', 'bounded', '--json']))
  t.match(full, { detail: /^PayloadTooLarge: .* of 600 bytes/, fix: /agents documents limits --tenant/ })
  t.match(await limits('--bytes-max', '0'), { bytesMax: null })
  t.match((await documents(['limits', '--tenant', 'bounded'])).stdout, /^May store +unlimited$/m)
  t.match(await limits('--bytes-max', 'default'), { bytesMax: 2 ** 40 })
  const [share] = records((await documents(['share', id, '--tenant', 'bounded', '--json'])).stdout)
  const shareId = String(share?.['id'])
  t.match(await limits('--share', shareId), { type: 'share', storedBytes: 0, storedBytesMax: null })
  t.match(await limits('--share', shareId, '--bytes-max', '9'), { storedBytesMax: 9 })
  t.match((await documents(['limits', '--tenant', 'bounded', '--share', shareId])).stdout, /^May store +9 bytes$/m)
  const link = await documents(['open', id, '--tenant', 'bounded', '--bytes-max', '7', '--no-browser'])
  t.equal(claimsOf(tokenIn(link.stdout)).stored_bytes_max, 7)
  t.equal((await documents(['limits', '--bytes-max', '-1'])).code, 64)
})

t.test('a refused value is named by its option', async (t) => {
  const id = await uploaded('report.pdf')
  const refused = async (...words: readonly string[]) => problemOf(await documents([...words, '--json']))
  const fix = /--help/
  t.match(await refused('mark', id, '--text', 'a', '--color', 'red'), { detail: /: --color must look like/, fix })
  t.match(await refused('share', id, '--origin', 'here'), { detail: /: --origin must look like/, fix })
  t.match(await refused('show', 'a b'), { detail: /: ID must look like/, fix })
  for (const dots of ['.', '..']) {
    // In an address they would name what is above: a tenant in the place of its webhook.
    t.match(await refused('delete', dots, '--yes'), { detail: `InvalidArg: "${dots}" is no id.`, fix })
    t.match(await refused('download', id, '--layer', dots), { detail: /is no id/ })
    const webhook = await agentsHere(['webhooks', 'delete', dots, '--json'], { folder, env: here })
    t.match(problemOf(webhook), { detail: /is no id/ })
  }
  t.match(await refused('mark', id, '--regex', '('), { detail: /: missing closing \): `\(`\.$/, fix })
})

const tokenIn = (link: string) => new URLSearchParams(new URL(link.trim()).hash.slice(1)).get('token') ?? ''
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

t.test('open prints a link with a token for reading, which ends after the given minutes', async (t) => {
  const id = await uploaded('report.pdf')
  const { stdout } = await documents(['open', id, '--layer', 'legal', '--minutes', '5'])
  const { pathname, search, origin } = new URL(stdout.trim())
  t.equal(origin, server.url)
  t.equal(pathname + search, `/view/${id}?layer=legal`)
  t.equal((await fetch(`${server.url}${pathname}`)).status, 200)
  const token = tokenIn(stdout)
  const claims = claimsOf(token)
  t.equal(claims.exp - claims.iat, 5 * 60)
  const send = (path: string, method = 'GET') =>
    fetch(`${server.url}/v1/docs/${id}/layers/legal/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{"changes":[{"opId":"a","ops":[]}]}' }),
    })
  t.equal((await send('manifest')).status, 200)
  t.equal((await send('download')).status, 200)
  t.equal((await send('pages/rotate', 'POST')).status, 403)
  t.match(records((await documents(['open', id, '--json'])).stdout), [
    { type: 'link', docId: id, layerName: 'default', layers: ['default'] },
  ])
  const [both] = records((await documents(['open', id, '--layer', 'legal', '--layer', 'default', '--json'])).stdout)
  t.match(both, { layerName: 'legal', layers: ['legal', 'default'] })
  const tokens = new URLSearchParams(new URL(String(both?.['url'])).hash.slice(1)).getAll('token')
  t.same(
    tokens.map((one) => claimsOf(one)['layer_name'] ?? 'default'),
    ['legal', 'default'],
  )
  t.equal(new Set(tokens.map((one) => claimsOf(one)['user_id'])).size, 1, 'one person in all layers')
  const [ada, bob] = await Promise.all(
    ['Ada', 'Bob'].map(async (name) => claimsOf(tokenIn((await documents(['open', id, '--name', name])).stdout))),
  )
  t.match([ada, bob], [{ display_name: 'Ada' }, { display_name: 'Bob' }])
  t.not(ada.user_id, bob.user_id, 'each link is a person of its own')
  t.equal(claims.display_name, userInfo().username, 'without a name, that of the account')
  t.match(problemOf(await documents(['open', 'none', '--json'])), { code: 'documents.refused', fix: /documents list/ })
  writeFileSync(join(folder, 'notes.pdf'), 'not a PDF')
  await documents(['upload', 'notes.pdf', '--id', 'failed'])
  t.match(problemOf(await documents(['open', 'failed', '--json'])), {
    code: 'documents.not-taken',
    detail: /not-a-pdf/,
  })
})

t.test('the server imports a URL, and refuses bytes with another hash or size than given', async (t) => {
  const source = createServer((_request, response) => response.end(readFileSync(report)))
  await new Promise<void>((listening) => source.listen(0, '127.0.0.1', listening))
  t.teardown(() => source.close())
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/report.pdf`
  t.equal((await documents(['import', url, '--id', 'fetched'])).stdout, 'fetched\n')
  const secret = { ...here, STEWARD_IMPORT_URL: url }
  t.equal((await documents(['import', '-', '--id', 'by-variable'], { env: secret })).stdout, 'by-variable\n')
  t.equal((await documents(['import', '-', '--id', 'by-input'], { input: `${url}\n` })).stdout, 'by-input\n')
  t.match(problemOf(await documents(['import', '-', '--json'], { input: '' })), { detail: /STEWARD_IMPORT_URL/ })
  t.match((await documents(['text', 'fetched'])).stdout, 'Report, page 1')
  const refused = await documents(['import', url, '--sha256', '0'.repeat(64), '--json'])
  t.match(problemOf(refused), { detail: /^UploadMismatch/ })
})

t.test(
  'a backup of the running server can be restored into an empty data folder, whose check has no findings',
  async (t) => {
    const id = await uploaded('report.pdf')
    const [made = {}] = records((await documents(['backup', 'backup', '--json'])).stdout)
    t.match(made, { type: 'backup', path: 'backup' })
    mkdirSync(join(folder, 'kept'))
    writeFileSync(join(folder, 'kept', 'secrets.json'), readFileSync(join(data, 'secrets.json')), { mode: 0o600 })
    t.notMatch((await documents(['restore', 'backup', '--data', 'kept'])).stderr, 'secrets.json')
    const run = await documents(['restore', 'backup', '--data', 'new', '--json'])
    t.match(run.stderr, /Put secrets\.json of the server that was backed up into new/)
    const [restored = {}] = records(run.stdout)
    t.match(restored, { type: 'restored', path: 'new', rows: made['rows'], blobs: made['blobs'] })
    const checked = await agentsHere(['serve', '--check', '--data', join(folder, 'new')], { folder })
    t.match(checked, { code: 0, stdout: /all as they should be/ })
    const second = await runServer(t, { folder: join(folder, 'new') })
    const env = { STEWARD_URL: second.url, STEWARD_API_TOKEN: second.apiToken }
    t.match((await documents(['text', id], { env })).stdout, 'Report, page 1')
  },
)

t.test('backup and restore need an empty folder', async (t) => {
  await documents(['backup', 'once'])
  const before = readdirSync(join(folder, 'once'))
  t.match(problemOf(await documents(['backup', 'once', '--json'])), { code: 'documents.backup-unfit', detail: /empty/ })
  t.same(readdirSync(join(folder, 'once')), before)
  const restored = await documents(['restore', 'once', '--data', folder, '--json'])
  t.equal(problemOf(restored)['code'], 'serve.data-unfit')
  t.equal(problemOf(await documents(['restore', 'nothing', '--data', 'x', '--json']))['code'], 'documents.backup-unfit')
})

t.test('a backup needs the API token', async (t) => {
  const token = await server.tenantToken('default', ['*'])
  const run = await documents(['backup', 'refused', '--token', token, '--json'])
  t.match(problemOf(run), { code: 'documents.refused', detail: /^Forbidden/ })
  t.equal(existsSync(join(folder, 'refused', 'backup.json')), false)
})

t.test('the server that runs on the data folder is found without --url', async (t) => {
  const found = await agentsHere(['documents', 'list', '--data', 'data'], { folder })
  t.equal(found.code, 0)
  const byVariable = await agentsHere(['documents', 'list'], { folder, env: { STEWARD_SERVE_DATA: 'data' } })
  t.equal(byVariable.code, 0)
})

t.test('different errors for no server, a killed server and one that does not answer', async (t) => {
  const none = await agentsHere(['documents', 'list', '--json'], { folder })
  t.equal(problemOf(none)['code'], 'documents.no-server')
  const killed = join(folder, 'killed')
  mkdirSync(killed)
  // Larger than any process id of Linux.
  writeFileSync(join(killed, 'server.json'), JSON.stringify({ url: server.url, pid: 2 ** 22 + 1 }))
  writeFileSync(join(killed, 'secrets.json'), JSON.stringify({ apiToken: server.apiToken }))
  const gone = await agentsHere(['documents', 'list', '--data', 'killed', '--json'], { folder })
  t.equal(problemOf(gone)['code'], 'documents.server-gone')
  const silent = { STEWARD_URL: 'http://127.0.0.1:1', STEWARD_API_TOKEN: 'x' }
  t.equal(problemOf(await documents(['list', '--json'], { env: silent }))['code'], 'documents.unreachable')
  t.equal(problemOf(await documents(['backup', 'b', '--json'], { env: silent }))['code'], 'documents.unreachable')
})

t.test('the token of the local server is not sent to another server', async (t) => {
  const run = await agentsHere(['documents', 'list', '--data', 'data', '--url', 'http://127.0.0.1:1', '--json'], {
    folder,
  })
  t.match(problemOf(run), { code: 'documents.no-server', detail: /^No token was given/ })
})

t.test('a wrong token and an answer of another program are reported with a fix', async (t) => {
  const env = { ...here, STEWARD_API_TOKEN: 'wrong' }
  t.match(problemOf(await documents(['list', '--json'], { env })), {
    detail: /^Unauthenticated/,
    fix: /STEWARD_API_TOKEN/,
  })
  const stranger = createServer((_request, response) => response.writeHead(404).end('<h1>nothing here</h1>'))
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
  t.teardown(() => stranger.close())
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  t.match(problemOf(await documents(['list', '--json', '--url', url])), {
    detail: /404: the answer is not of a document/,
  })
})

t.test('a download that breaks off leaves no file', async (t) => {
  const breaking = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('%PDF', () => response.destroy())
  })
  await new Promise<void>((listening) => breaking.listen(0, '127.0.0.1', listening))
  t.teardown(() => breaking.close())
  const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`
  const run = await documents(['download', 'x', '--out', 'broken.pdf', '--url', url, '--json'])
  t.equal(problemOf(run)['code'], 'documents.unreachable')
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('broken')),
    [],
  )
})
