// Each step of a document's life is answered by another process, on real engines, and judged by programs that share no code
// with ours: awkward files are imported by one, edited by the next, undone, redacted, signed and downloaded by others.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import t, { type Test } from 'tap'
import type { FilesystemSettings } from '../../server/settings/connections.js'
import { scratchFolder } from '../cli/scratch.js'
import { madeFile } from '../matrix/files/made.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { needsSwift, startSwift } from '../support/engines/swift.js'
import { everyBase } from '../support/pdf/bases.js'
import { judged, needs } from '../support/pdf/judges.js'
import { Workshop } from '../support/pdf/workshop.js'
import { layerPath, outcomes } from './changes/support/changing.js'
import { ended } from './imports/support/ended.js'
import { complete, download, field, popplerVerdicts, prepare, qpdfAccepts } from './signatures/support/signing.js'
import { done, runServer } from './support/running-server.js'
import { documents, sha256Of } from './support/uploads.js'

t.setTimeout(580_000)

const awkward = [
  'aes-256-owner-only',
  'crop-rotate-90+shared-contents',
  'inherited+rotate-270',
  'leading-junk+raw-names',
  'offset-content',
  'scan-jpeg+user-unit',
  'stray-q+wrong-length',
]
const skip = needsPostgres.skip || needsRedis().skip || needsSwift.skip || needs('pdfsig', 'pdftotext', 'qpdf').skip

t.test('documents that are handed from process to process', { skip }, async (t) => {
  const [postgres, redis, swift] = await Promise.all([PostgresServer.start(t), startRedis(t), startSwift(t)])
  const client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  client.destroy()
  const root = scratchFolder(t, 'archive')
  mkdirSync(join(root, 'in'))
  const archive: FilesystemSettings = { type: 'filesystem', root, prefixes: ['in'], tenants: ['acme'] }
  const settings = {
    store: postgres.address(),
    blobs: `s3://steward/all?endpoint=${swift.endpoint}&pathStyle=true`,
    redis: redis.address,
    connections: { archive },
  }
  const env = {
    STEWARD_API_TOKEN: 'a-token-of-all-servers-0123456789',
    STEWARD_SIGNING_SECRET: Buffer.alloc(32, 1).toString('base64'),
    STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
  }
  const start = () => runServer(t, { settings, env, importBounds: { pollMs: 50 } })
  const servers = await Promise.all([start(), start(), start()])
  await servers[0].api.post('/v1/tenants', { id: 'acme' }).then(done)

  const made = awkward.map(async (name) => {
    const { password, bytes } = madeFile(name)
    return { name, bytes: await bytes(), ...(password === undefined ? {} : { password }) }
  })
  const files = [...everyBase(), ...(await Promise.all(made))]
  let turn = 0
  /** Returns the client of the next server. */
  const next = () => {
    const { api } = servers[turn++ % servers.length] ?? servers[0]
    return api
  }
  for (const [index, { name, bytes, password }] of files.entries()) {
    await t.test(name, async (t) => {
      const docId = `file-${index}`
      const path = layerPath({ docId })
      const headers = password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
      const now = () => download({ api: next(), docId, headers })
      const changed = async (entry: object) =>
        t.same(outcomes(await next().post(`${path}/changes`, { changes: [entry] }, headers)), ['applied'])

      writeFileSync(join(root, `in/${docId}.pdf`), bytes)
      const source = { kind: 'connection', connectionId: 'archive', key: `in/${docId}.pdf` }
      const expected = { sha256: sha256Of(bytes) }
      done(await next().post(`${documents}/import`, { source, mode: 'async', docId, expected }))
      t.match(await ended(next(), docId), { state: 'ready', baseSha: expected.sha256 })
      t.ok((await now()).equals(bytes), 'the document is the file')

      const { ref: page, size } = Object(done(await next().get(`${path}/layout`, headers)).at('/pages/0'))
      const rect = { x: 0, y: 0, ...size }
      const create = (data: object) => ({ type: 'annotations.create', page, data })
      const secret = `Secret-${index}`
      await changed({ opId: 'note', ops: [create({ subtype: 'square', rect, contents: secret })] })
      t.ok(plain(t, await now(), password).includes(secret), 'the edit is in the file of another process')
      await changed({ opId: 'undo', undoOf: 'note' })
      const undone = await now()
      t.notOk(plain(t, undone, password).includes(secret))
      t.equal(wordsOf(t, undone, password), wordsOf(t, bytes, password), 'the words are those before')

      await changed({ opId: 'mark', ops: [create({ subtype: 'redact', rect })] })
      done(await next().post(`${path}/redactions/apply`, { pages: [page] }, headers))
      const redacted = await now()
      qpdfAccepts(t, redacted, password)
      t.equal(wordsOf(t, redacted, password, 1), '', 'nothing is left on the page')

      const prepared = await prepare({ api: next(), docId, headers }, field('approval')).then(done)
      done(await complete({ api: next(), docId, headers }, prepared))
      const signed = await now()
      t.match(popplerVerdicts(t, signed, password), [{ isValid: true, isTotal: true }])
      qpdfAccepts(t, signed, password)
    })
  }
})

/** Returns the path of a copy with all objects as readable text, rewritten, and repaired where needed, by qpdf. */
function plainPath(t: Test, bytes: Uint8Array, password: string | undefined): string {
  const { path } = Workshop.of(t).source(bytes)
  const open = password === undefined ? [] : [`--password=${password}`]
  judged('qpdf', ['--qdf', '--object-streams=disable', '--decrypt', ...open, path, `${path}.plain`])
  return `${path}.plain`
}

const plain = (t: Test, bytes: Uint8Array, password: string | undefined): Buffer =>
  readFileSync(plainPath(t, bytes, password))

/** Returns the words that poppler finds, on all pages or on one. */
function wordsOf(t: Test, bytes: Uint8Array, password: string | undefined, page?: number): string {
  const pages = page === undefined ? [] : ['-f', String(page), '-l', String(page)]
  const words = judged('pdftotext', [...pages, plainPath(t, bytes, password), '-'])
  return words.toString().replaceAll(/\s+/g, ' ').trim()
}
