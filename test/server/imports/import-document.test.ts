// `documents.importFrom` on a running server: responses, stored documents, and secrecy of URLs.
import t, { type Test } from 'tap'
import { limits } from '../../../server/limits.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { documents, sha256Of } from '../support/uploads.js'
import { httpSource, rawSource, type Source, secret } from './support/source.js'

const pdf = onePage('BT /F1 12 Tf 20 100 Td (Imported) Tj ET', { resources: helvetica })
const sha256 = sha256Of(pdf)
const settings = { importAllow: ['127.0.0.1/32'], importHttp: true }
const server = await runServer(t, { settings })
const { api } = server
await api.post('/v1/tenants', { id: 'acme' }).then(done)

const importing = (source: Pick<Source, 'url'>, more: object = {}) =>
  api.post(`${documents}/import`, { source: { kind: 'url', url: source.url }, ...more })

const pdfSource = (t: Test, bytes: Uint8Array = pdf) =>
  httpSource(t, (_request, response) => response.setHeader('Content-Length', bytes.length).end(bytes))

/** Source that fails the given number of times, then serves the document. */
function shakySource(t: Test, failures: number): Promise<Source> {
  let left = failures
  return httpSource(t, (_request, response) => {
    if (left-- > 0) response.writeHead(503).end()
    else response.setHeader('Content-Length', pdf.length).end(pdf)
  })
}

const found = async (id: string) => (await api.get(`${documents}/${id}`)).status

t.test('4.10: a document is ready when its import responds, and has the bytes of the source', async (t) => {
  const answer = await importing(await pdfSource(t), { docId: 'plain', metadata: { from: 'afar' } })
  t.equal(answer.status, 200)
  t.equal(answer.at('/tag'), 'imported')
  t.match(answer.at('/document'), {
    id: 'plain',
    state: 'ready',
    baseSha: sha256,
    storageSizeBytes: pdf.length,
    metadata: { from: 'afar' },
  })
  const download = await api.get(`${documents}/plain/download`)
  t.ok(download.bytes.equals(Buffer.from(pdf)))
})

t.test('4.10: size and hash given by the client are enforced; the hash may be in either case', async (t) => {
  const expected = { sizeBytes: pdf.length, sha256: sha256.toUpperCase() }
  t.equal((await importing(await pdfSource(t), { expected })).at('/document/baseSha'), sha256)
})

t.test('4.10: a wrong size or hash answers 400, and id and key can be reused', async (t) => {
  const source = await pdfSource(t)
  for (const expected of [{ sizeBytes: pdf.length + 1 }, { sizeBytes: 1 }, { sha256: 'a'.repeat(64) }]) {
    const [subject = ''] = Object.keys(expected)
    const answer = await importing(source, { docId: 'pinned', idempotencyKey: 'pinned', expected })
    t.equal(answer.status, 400)
    t.equal(answer.code, 'UploadMismatch')
    t.match(answer.text, new RegExp(`expected.${subject}`))
    t.equal(await found('pinned'), 404)
  }
  t.equal((await importing(source, { docId: 'pinned', idempotencyKey: 'pinned' })).at('/tag'), 'imported')
})

t.test('4.10: after a 502 the same key resumes the same document, also from another URL', async (t) => {
  const source = await shakySource(t, 1)
  const request = { docId: 'resumed', idempotencyKey: 'resumed' }
  const failed = await importing(source, request)
  t.equal(failed.status, 502)
  t.equal(failed.code, 'UpstreamFailed')
  t.equal((await api.get(`${documents}/resumed`)).at('/document/state'), 'pending')
  const cut = await rawSource(t, `HTTP/1.1 200 OK\r\nContent-Length: ${pdf.length}\r\n\r\n%PDF-1.7`)
  t.equal((await importing(cut, request)).status, 502)
  t.equal((await importing(source, request)).at('/tag'), 'imported')
  const again = await importing(cut, request)
  t.equal(again.at('/tag'), 'deduped')
  t.equal(again.at('/document/id'), 'resumed')
  t.equal(cut.sockets.length, 1, 'a finished document is not fetched again')
})

t.test(
  '4.10: a refusing source is not reported as 502, and another URL under the same key resumes the document',
  async (t) => {
    const request = { docId: 'resigned', idempotencyKey: 'resigned' }
    const expired = await rawSource(t, 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    const refused = await importing(expired, request)
    t.match([refused.status, refused.code], [400, 'SourceRefused'])
    t.equal((await importing(await pdfSource(t), request)).at('/tag'), 'imported')
  },
)

t.test('a failing source is logged at warn without a stack trace', async (t) => {
  const broken = await rawSource(t, 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n')
  const failed = await importing(broken, {})
  t.equal(failed.status, 502)
  const [line = ''] = server
    .log()
    .split('\n')
    .filter((one) => one.includes('UpstreamFailed'))
  t.equal(JSON.parse(line).level, 40)
  t.notMatch(line, 'stack')
})

t.test(
  '4.10: without an idempotency key an import cannot resume, so a 502 leaves no document and its id is free',
  async (t) => {
    const source = await shakySource(t, 1)
    t.equal((await importing(source, { docId: 'unkeyed' })).status, 502)
    t.equal(await found('unkeyed'), 404)
    t.equal((await importing(source, { docId: 'unkeyed' })).at('/tag'), 'imported')
  },
)

t.test('4.10: concurrent requests with one key create one document, and fetch it once', async (t) => {
  const source = await pdfSource(t)
  const answers = await Promise.all([1, 2, 3, 4].map(() => importing(source, { idempotencyKey: 'together' })))
  t.same(answers.map((answer) => answer.at('/tag')).sort(), ['deduped', 'deduped', 'deduped', 'imported'])
  t.equal(new Set(answers.map((answer) => answer.at('/document/id'))).size, 1)
  t.equal(source.sockets.length, 1)
})

t.test(
  '4.10: reuse-existing needs expected.sha256, and then nothing is fetched for bytes that are there',
  async (t) => {
    const source = await pdfSource(t)
    const bare = await importing(source, { dedupMode: 'reuse-existing' })
    t.equal(bare.status, 400)
    t.match(bare.text, /needs expected\.sha256/)
    const answer = await importing(source, { dedupMode: 'reuse-existing', expected: { sha256 } })
    t.equal(answer.at('/tag'), 'deduped')
    t.equal(answer.at('/document/baseSha'), sha256)
    t.equal(source.sockets.length, 0)
  },
)

t.test('4.10: async needs a registered connection, and there is none', async (t) => {
  const source = await pdfSource(t)
  const refused = await importing(source, { mode: 'async' })
  t.equal(refused.code, 'InvalidArg')
  t.match(refused.text, /needs a connection source/)
  for (const mode of ['sync', 'async']) {
    const connection = { kind: 'connection', connectionId: 'archive', key: 'a.pdf' }
    const answer = await api.post(`${documents}/import`, { source: connection, mode, expected: { sha256 } })
    t.equal(answer.status, 400)
    t.match(answer.text, /No connection of this connectionId is registered/)
  }
  t.equal(source.sockets.length, 0)
})

t.test('4.10: a URL that the policy refuses answers 403 and creates no document', async (t) => {
  const source = await pdfSource(t)
  const long = await rawSource(t, 'HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n')
  const urls = [
    `ftp://127.0.0.1/${secret}`,
    `http://${secret}@127.0.0.1:${source.port}/`,
    `http://127.0.0.2:${source.port}/${secret}`,
    `http://[::ffff:7f00:1]:${source.port}/${secret}`,
    long.url,
  ]
  for (const url of urls) {
    const answer = await importing({ url }, { docId: 'refused', idempotencyKey: 'refused' })
    t.equal(answer.status, 403, url)
    t.equal(answer.code, 'ImportRefused', url)
    t.equal(await found('refused'), 404, url)
  }
  const large = { docId: 'refused', expected: { sizeBytes: 10 ** 12 } }
  t.equal((await importing(source, large)).code, 'ImportRefused')
  t.equal((await importing({ url: secret })).code, 'InvalidArg')
  t.equal(source.sockets.length, 0)
})

t.test(
  'an import above the limit of a tenant is refused at once; imports of other tenants and running ones complete',
  async (t) => {
    const answers = new Set<() => void>()
    const slow = await httpSource(t, (_request, response) => {
      answers.add(() => response.setHeader('Content-Length', pdf.length).end(pdf))
    })
    const atOnce = limits.importsAtOnceMax / 2
    const under = Array.from({ length: atOnce }, () => importing(slow))
    while (answers.size < atOnce) await new Promise((next) => setImmediate(next))
    const refused = await importing(slow, { docId: 'too-many', idempotencyKey: 'too-many' })
    t.same([refused.status, refused.code], [503, 'RuntimeUnavailable'])
    t.ok(Number(refused.headers.get('retry-after')) >= 1)
    t.equal(await found('too-many'), 404)
    t.equal(slow.sockets.length, atOnce)
    await server.api.post('/v1/tenants', { id: 'globex' })
    const source = { kind: 'url', url: (await pdfSource(t)).url }
    const other = await server.api.post('/v1/tenants/globex/documents/import', { source })
    t.equal(other.at('/tag'), 'imported', 'another tenant')
    for (const answer of answers) answer()
    t.same(new Set((await Promise.all(under)).map((answer) => answer.at('/tag'))), new Set(['imported']))
    const later = await importing(await pdfSource(t), { docId: 'too-many', idempotencyKey: 'too-many' })
    t.equal(later.at('/tag'), 'imported')
  },
)

t.test('a file that is not a PDF becomes a failed document with a reason', async (t) => {
  const answer = await importing(await pdfSource(t, Buffer.from('a page of HTML')))
  t.equal(answer.status, 200)
  t.match(answer.at('/document'), { state: 'failed', failureReason: 'not-a-pdf', baseSha: null })
})

t.test('a document that is deleted while it is fetched stays deleted', async (t) => {
  const source = await httpSource(t, async (_request, response) => {
    response.setHeader('Content-Length', pdf.length).write(pdf.subarray(0, 10))
    await api.delete(`${documents}/leaving`).then(done)
    response.end(pdf.subarray(10))
  })
  const answer = await importing(source, { docId: 'leaving', idempotencyKey: 'leaving' })
  t.equal(answer.status, 404)
  t.equal(await found('leaving'), 404)
})

t.test('URLs may contain secrets: they are in no response, row or log line', async (t) => {
  const listed = await api.get(documents)
  t.ok(listed.text.includes('resumed'))
  t.notMatch(listed.text, new RegExp(secret, 'i'))
  t.ok(server.log().includes('documents.importFrom'))
  t.notMatch(server.log(), new RegExp(secret, 'i'))
})
