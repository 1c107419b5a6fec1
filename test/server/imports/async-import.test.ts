// Asynchronous imports on a running server: 202 and polling, retries, and what happens when somebody else deletes,
// suspends or takes over meanwhile.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { FilesystemSettings } from '../../../server/settings/connections.js'
import { scratchFolder } from '../../cli/scratch.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { documents, sha256Of } from '../support/uploads.js'
import { ended } from './support/ended.js'

const pdf = onePage('BT /F1 12 Tf 20 100 Td (Imported) Tj ET', { resources: helvetica })
const sha256 = sha256Of(pdf)
const root = scratchFolder(t, 'archive')
mkdirSync(join(root, 'in/deep'), { recursive: true })
mkdirSync(join(root, 'private'))
writeFileSync(join(root, 'in/a.pdf'), pdf)
writeFileSync(join(root, 'in/deep/b.pdf'), pdf)
writeFileSync(join(root, 'in/text.pdf'), 'no PDF at all')
writeFileSync(join(root, 'private/c.pdf'), pdf)

const archive: FilesystemSettings = { type: 'filesystem', root, prefixes: ['in'], tenants: ['acme', 'globex'] }
const gone = { ...archive, root: join(root, 'not-mounted') }
const server = await runServer(t, {
  settings: { connections: { archive, gone, other: { ...archive, tenants: ['globex'] } } },
  importBounds: { pollMs: 50, retryMinMs: 1, retryMaxMs: 1 },
})
const { api } = server
await api.post('/v1/tenants', { id: 'acme' }).then(done)

const from = (key: string, connectionId = 'archive') => ({ kind: 'connection', connectionId, key })
const importing = (key: string, more: object = {}): Promise<Answer> =>
  api.post(`${documents}/import`, { source: from(key), mode: 'async', expected: { sha256 }, ...more })

t.test('4.10: an asynchronous import answers 202 with the pending document, which becomes ready', async (t) => {
  const accepted = await importing('in/deep/b.pdf', { docId: 'plain', metadata: { from: 'afar' } })
  t.equal(accepted.status, 202)
  t.equal(accepted.at('/tag'), 'accepted')
  t.match(accepted.at('/document'), { id: 'plain', state: 'pending', baseSha: null, failureReason: null })
  const document = await ended(api, 'plain')
  t.match(document, { state: 'ready', baseSha: sha256, storageSizeBytes: pdf.length, metadata: { from: 'afar' } })
  t.ok((await api.get(`${documents}/plain/download`)).bytes.equals(Buffer.from(pdf)))
  t.equal((await api.get(`${documents}/plain/thumbnail`)).status, 200)
})

t.test('4.10: a filesystem connection is imported from while the request waits, too', async (t) => {
  const answer = await api.post(`${documents}/import`, { source: from('in/a.pdf'), docId: 'waiting' })
  t.same([answer.status, answer.at('/tag'), answer.at('/document/baseSha')], [200, 'imported', sha256])
})

t.test('4.10: async needs expected.sha256 for a filesystem connection', async (t) => {
  const answer = await importing('in/a.pdf', { expected: {} })
  t.same([answer.status, answer.code], [400, 'InvalidArg'])
  t.match(answer.text, /expected\.sha256/)
})

t.test('4.10: the same key resumes the same document; another source, or another mode, is a conflict', async (t) => {
  const request = { idempotencyKey: 'twice' }
  const first = await importing('in/a.pdf', request)
  const second = await importing('in/a.pdf', request)
  t.equal(second.at('/document/id'), first.at('/document/id'))
  await ended(api, first.word('/document/id'))
  const later = await importing('in/a.pdf', request)
  t.same([later.status, later.at('/tag')], [200, 'deduped'])
  t.equal(later.at('/document/id'), first.at('/document/id'))
  const retried = { docId: 'elsewhere', idempotencyKey: 'elsewhere' }
  done(
    await api.post(`${documents}/import`, {
      source: from('in/a.pdf', 'gone'),
      mode: 'async',
      expected: { sha256 },
      ...retried,
    }),
  )
  t.equal((await importing('in/a.pdf', retried)).code, 'Conflict', 'another source')
  const sync = await api.post(`${documents}/import`, { source: from('in/a.pdf'), ...retried })
  t.equal(sync.code, 'Conflict', 'another mode')
})

t.test(
  'failures that another attempt cannot cure fail the document with a reason, and the key starts again',
  async (t) => {
    const text = sha256Of(Buffer.from('no PDF at all'))
    const failures = [
      ['missing', importing('in/missing.pdf', { docId: 'missing', idempotencyKey: 'missing' }), 'source-not-found'],
      ['other', importing('in/text.pdf', { docId: 'other' }), 'source-mismatch'],
      ['size', importing('in/a.pdf', { docId: 'size', expected: { sha256, sizeBytes: 5 } }), 'source-mismatch'],
      ['text', importing('in/text.pdf', { docId: 'text', expected: { sha256: text } }), 'not-a-pdf'],
    ] as const
    for (const [id, answer, failureReason] of failures) {
      t.equal((await answer).status, 202, id)
      t.match(await ended(api, id), { state: 'failed', failureReason, baseSha: null }, id)
    }
    writeFileSync(join(root, 'in/missing.pdf'), pdf)
    const again = await importing('in/missing.pdf', { docId: 'missing', idempotencyKey: 'missing' })
    t.same([again.status, again.at('/document/state')], [202, 'pending'])
    t.match(await ended(api, 'missing'), { state: 'ready', baseSha: sha256 })
  },
)

t.test('a storage that cannot be reached is tried again several times, then the document fails', async (t) => {
  const request = { source: from('in/a.pdf', 'gone'), mode: 'async', expected: { sha256 }, docId: 'unmounted' }
  t.equal((await api.post(`${documents}/import`, request)).status, 202)
  t.match(await ended(api, 'unmounted'), { state: 'failed', failureReason: 'source-unavailable' })
  t.match(server.log(), /"code":"UpstreamFailed".*"attempts":1\b/)
})

t.test('what the connection does not allow is refused alike, whether or not it exists', async (t) => {
  const keys = ['private/c.pdf', 'private/missing.pdf', 'in/../private/c.pdf', '/etc/passwd', 'inner.pdf', 'in//a.pdf']
  for (const mode of ['sync', 'async']) {
    for (const key of keys) {
      const answer = await importing(key, { mode, docId: 'refused' })
      t.same([answer.status, answer.code], [403, 'ImportRefused'], key)
      t.match(answer.text, /does not allow this key/)
    }
    const foreign = await api.post(`${documents}/import`, {
      source: from('in/a.pdf', 'other'),
      mode,
      expected: { sha256 },
    })
    const unknown = await api.post(`${documents}/import`, {
      source: from('in/a.pdf', 'nowhere'),
      mode,
      expected: { sha256 },
    })
    t.same(
      [foreign.status, foreign.at('/error/message')],
      [400, unknown.at('/error/message')],
      'a connection of another tenant',
    )
  }
  t.equal((await importing('in/a.pdf', { source: { ...from('in/a.pdf'), revision: '1' } })).code, 'InvalidArg')
  t.equal((await importing('in/a.pdf', { source: from('in/\0.pdf') })).code, 'InvalidArg')
  t.equal((await api.get(`${documents}/refused`)).status, 404)
})

t.test('an import of a suspended tenant waits until it is resumed', async (t) => {
  const globex = '/v1/tenants/globex/documents'
  done(await api.post('/v1/tenants', { id: 'globex' }))
  done(await api.post('/v1/tenants/globex/suspend', {}))
  const request = { source: from('in/a.pdf'), mode: 'async', expected: { sha256 }, docId: 'halted' }
  t.equal((await api.post(`${globex}/import`, request)).status, 202)
  await importing('in/a.pdf', { docId: 'meanwhile' }).then(done)
  await ended(api, 'meanwhile')
  t.equal((await api.get(`${globex}/halted`)).at('/document/state'), 'pending')
  done(await api.post('/v1/tenants/globex/resume', {}))
  t.match(await ended(api, 'halted', globex), { state: 'ready' })
})

t.test('usage counts an asynchronous import once', async (t) => {
  const uploads = async () => Number((await api.get('/v1/tenants/acme/usage')).at('/metrics/pdf.uploads'))
  const before = await uploads()
  await importing('in/a.pdf', { docId: 'counted' }).then(done)
  await ended(api, 'counted')
  t.equal(await uploads(), before + 1)
})
