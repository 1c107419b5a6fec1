// Where the commands on documents send a token or a password: to addresses that came with it, and to servers that prove to
// know it; never to one that a folder alone names.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { announcementOf } from '../../server/lifecycle/announcement.js'
import { runServer } from '../server/support/running-server.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const token = 'stw_a-token-of-this-user'
const folder = scratchFolder(t)
mkdirSync(join(folder, 'steward-data'))
const server = await runServer(t, { folder: join(folder, 'steward-data'), env: { STEWARD_API_TOKEN: token } })

/** A server of somebody else, and what it was sent. */
const received: IncomingHttpHeaders[] = []
const stranger = createServer(({ headers }, response) => {
  received.push(headers)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"documents":[],"nextCursor":null}')
})
await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
t.teardown(() => stranger.close())
const strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`

t.beforeEach(() => void received.splice(0))

/** Runs a command in a folder with these files in its `steward-data`. */
async function runIn(
  where: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = { STEWARD_API_TOKEN: token },
) {
  const run = await agentsHere([...words, '--json'], { folder: where, env })
  return { ...run, problem: records(run.stdout).find(({ type }) => type === 'diagnostic') }
}

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const made = scratchFolder(t)
  mkdirSync(join(made, 'steward-data'))
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(made, 'steward-data', name), JSON.stringify(value))
  return made
}

const announced: unknown = JSON.parse(readFileSync(join(folder, 'steward-data/server.json'), 'utf8'))
const list = ['documents', 'list']

t.test('the token of the environment finds the server of the folder, which knows it', async (t) => {
  const run = await runIn(folder, list)
  t.equal(run.code, 0, run.stdout)
  t.match(announced, { url: server.url, pid: process.pid, proofs: [/^[0-9a-f]{64}$/] })
})

t.test('the proof holds for each of several tokens, and for the public address too', async (t) => {
  const folder = scratchFolder(t)
  const env = { STEWARD_API_TOKEN: `another-token-123456,${token}` }
  await runServer(t, { folder, env, settings: { publicUrl: 'https://documents.example' } })
  const run = await agentsHere([...list, '--data', folder], { folder, env: { STEWARD_API_TOKEN: token } })
  t.equal(run.code, 0, run.stderr)
  const share = ['documents', 'share', 'doc_x', '--data', folder, '--json']
  const refused = await agentsHere(share, { folder, env: { STEWARD_API_TOKEN: token } })
  t.match(refused.stdout, /NotFound|no such/)
})

const foreign = (await announcementOf({ url: strange, publicUrl: undefined }, ['a-token-of-the-stranger'])) as object

for (const [name, files] of Object.entries({
  'an address alone': { 'server.json': { url: strange } },
  'an address and a process that runs': { 'server.json': { url: strange, pid: process.pid } },
  'a process that always runs': { 'server.json': { url: strange, pid: 1 } },
  'the proof of another address': { 'server.json': { ...(announced as object), url: strange } },
  'the proof of another token': { 'server.json': foreign },
})) {
  t.test(`a folder with ${name} gets no token`, async (t) => {
    const run = await runIn(folderWith(files), list)
    t.equal(run.code, 1)
    t.match(run.problem, { code: /^documents\.(no-server|unproven-server)$/ })
    t.strictSame(received, [])
  })
}

t.test('the refusal names the address and how to vouch for it', async (t) => {
  const { problem } = await runIn(folderWith({ 'server.json': foreign }), list)
  t.match(problem, { code: 'documents.unproven-server', fix: new RegExp(`--url ${strange}`) })
  const vouched = await runIn(folderWith({ 'server.json': foreign }), [...list, '--url', strange])
  t.equal(vouched.code, 0)
  t.match(received, [{ authorization: `Bearer ${token}` }])
})

t.test('a link to the secrets of another folder does not make a server known', async (t) => {
  const own = scratchFolder(t)
  const mine = await runServer(t, { folder: own })
  const made = folderWith({ 'server.json': foreign })
  symlinkSync(join(own, 'secrets.json'), join(made, 'steward-data/secrets.json'))
  t.match(await runIn(made, list, {}), { code: 1, problem: { code: 'documents.unproven-server' } })
  t.strictSame(received, [])
  const found = await agentsHere([...list, '--data', own], { folder: made })
  t.equal(found.code, 0, mine.url)
})

t.test('the proof of a server that has ended is none', async (t) => {
  const ended = await announcementOf({ url: strange, publicUrl: undefined }, [token])
  const { pid, started, ...others } = ended
  t.match(await runIn(folderWith({ 'server.json': { ...others, started, pid: 2 ** 22 + 1 } }), list), {
    problem: { code: 'documents.server-gone' },
  })
  if (started !== '') {
    const later = { ...others, pid, started: 'another start' }
    t.match(await runIn(folderWith({ 'server.json': later }), list), { problem: { code: 'documents.server-gone' } })
  }
  t.strictSame(received, [])
})

t.test('a folder that names both address and token gets no other secret', async (t) => {
  const files = { 'server.json': foreign, 'secrets.json': { apiToken: 'a-token-of-the-stranger' } }
  const secrets = { STEWARD_DOCUMENT_PASSWORD: 'open sesame', STEWARD_SHARE_PASSPHRASE: 'open sesame' }
  const made = folderWith(files)
  for (const words of [
    ['documents', 'text', 'x'],
    ['documents', 'render', 'x'],
    ['documents', 'download', 'x', '--layer', 'y'],
    ['documents', 'share', 'x', '--passphrase'],
    ['documents', 'import', '-'],
  ]) {
    const run = await runIn(made, words, { ...secrets, STEWARD_IMPORT_URL: 'https://example.com/secret' })
    t.match(run, { code: 1, problem: { code: 'documents.unproven-server' } }, words.join(' '))
  }
  t.strictSame(received, [])
  t.equal((await runIn(made, list, secrets)).code, 0, 'its own token came with the address')
  t.match(received, [{ 'x-document-password': undefined }])
})

t.test('a public address of a folder is in no link that holds a token, unless it is proven', async (t) => {
  const made = folderWith({ 'server.json': { ...(announced as object), publicUrl: 'https://stranger.example' } })
  const id = await server.upload(onePage(''))
  const words = ['documents', 'open', id, '--tenant', 'acme', '--no-browser']
  const run = await runIn(made, words, { STEWARD_API_TOKEN: token, STEWARD_URL: server.url })
  t.match(records(run.stdout), [{ type: 'link', url: new RegExp(`^${server.url}/`) }])
})

t.test('redirects are not followed', async (t) => {
  const away = createServer((_request, response) => response.writeHead(307, { location: `${strange}/x` }).end())
  await new Promise<void>((listening) => away.listen(0, '127.0.0.1', listening))
  t.teardown(() => away.close())
  const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`
  const env = { STEWARD_API_TOKEN: token, STEWARD_DOCUMENT_PASSWORD: 'open sesame' }
  const run = await runIn(folder, ['documents', 'text', 'x', '--url', url], env)
  t.match(run.problem, { code: 'documents.refused', detail: new RegExp(`redirects to ${strange}`) })
  t.strictSame(received, [])
})
