// Uploads over HTTP: init, send and commit, in every order that clients use.
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Document, DocumentInitResult } from '../../../server/schemas/document.js'
import { eventually } from '../../support/eventually.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import type { Answer, Sent } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { announced, commit, documents, requestFor, sha256Of, uploaded } from '../support/uploads.js'

const server = await runServer(t)
const { api, clock } = server
await api.post('/v1/tenants', { id: 'acme' })

let made = 0
/** Returns different bytes each time, so that tests do not share documents. */
const anyPdf = (): Buffer => onePage(`BT /F1 12 Tf 20 100 Td (Document ${++made}) Tj ET`, { resources: helvetica })

const isDocument = strictly(Document)
const isInitResult = strictly(DocumentInitResult)

const anyId = () => `doc-${randomUUID()}`

/** Multipart body as text, for malformed variants. */
const multipart = (body: string): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body,
})

const filePart = (name: string, content: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n${content}\r\n`

function refused(t: Test, answer: Answer, status: number, code: string): void {
  t.match({ status: answer.status, code: answer.code }, { status, code }, answer.text)
}

t.test('an upload that was announced, sent and committed is a document', async (t) => {
  const pdf = anyPdf()
  const init = await api.post(`${documents}/init`, requestFor(pdf, { metadata: { title: 'Report', tags: ['a'] } }))
  t.ok(isInitResult().Check(init.json()), init.text)
  t.match(init.json(), { tag: 'created', upload: { kind: 'proxy' }, document: { state: 'pending', baseSha: null } })
  const id = init.word('/document/id')
  const sent = await api.sendFile(init.word('/upload/url'), pdf)
  t.same([sent.status, sent.json()], [200, { sha256: sha256Of(pdf) }])
  const committed = await commit(api, id, sha256Of(pdf).toUpperCase())
  t.equal(committed.status, 200)
  t.ok(isDocument().Check(committed.at('/document')), committed.text)
  t.match(committed.at('/document'), {
    id,
    tenantId: 'acme',
    state: 'ready',
    baseSha: sha256Of(pdf),
    storageSizeBytes: pdf.length,
    metadata: { title: 'Report', tags: ['a'] },
    failureReason: null,
    thumbnailState: 'ready',
    createdBy: 'api',
  })
  t.same((await api.get(`${documents}/${id}`)).json(), committed.json())
})

t.test('init refuses members that contradict each other', async (t) => {
  const pdf = anyPdf()
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { contentLength: 0 },
    { contentLength: 1.5 },
    { contentLength: '10' },
    { contentSha256: 'abc' },
    { uploadTtlSec: 59 },
    { uploadTtlSec: 3601 },
    { uploadPreference: 'ftp' },
    { uploadPreference: 'presigned' },
    { dedupMode: 'never' },
    { docId: 'a/b' },
    { docId: '' },
    { idempotencyKey: '' },
    { idempotencyKey: 'x'.repeat(256) },
    { idempotencyKey: 'naïve' },
    { metadata: 'text' },
  ]
  for (const member of bad) {
    refused(t, await api.post(`${documents}/init`, requestFor(pdf, member)), 400, 'InvalidArg')
  }
  t.equal((await api.post(`${documents}/init`, requestFor(pdf, { uploadTtlSec: 60.0004 }))).status, 200)
  t.equal((await api.post(`${documents}/init`, requestFor(pdf, { uploadPreference: 'proxy' }))).status, 200)
  refused(t, await api.post(`${documents}/init`, requestFor(pdf, { contentLength: 2 ** 40 })), 413, 'PayloadTooLarge')
  const large = await api.post(`${documents}/init`, requestFor(pdf, { metadata: { text: 'x'.repeat(100_000) } }))
  refused(t, large, 413, 'PayloadTooLarge')
})

t.test(
  'bytes with another length or hash than announced are refused, and the right ones can be sent afterwards',
  async (t) => {
    const pdf = anyPdf()
    const { id, url } = await announced(api, pdf)
    const other = Buffer.from(pdf)
    other[other.length - 10] = 0
    refused(t, await api.sendFile(url, other), 400, 'UploadMismatch')
    refused(t, await api.sendFile(url, pdf.subarray(0, -1)), 400, 'UploadMismatch')
    refused(t, await api.sendFile(url, Buffer.concat([pdf, Buffer.alloc(3_000_000)])), 400, 'UploadMismatch')
    refused(t, await api.sendFile(url, Buffer.alloc(0)), 400, 'UploadMismatch')
    refused(t, await commit(api, id, sha256Of(pdf)), 400, 'UploadMismatch')
    t.equal((await api.sendFile(url, pdf)).status, 200)
    refused(t, await commit(api, id, sha256Of(other)), 400, 'UploadMismatch')
    t.match((await commit(api, id, sha256Of(pdf))).json(), { document: { state: 'ready' } })
  },
)

t.test('a body without a complete part `file` is refused', async (t) => {
  const { url } = await announced(api, anyPdf())
  const bad: readonly Sent[] = [
    { method: 'POST', headers: { 'content-type': 'multipart/form-data' }, body: '%PDF' },
    multipart(''),
    multipart('no parts at all'),
    multipart(`${filePart('document', '%PDF')}--edge--\r\n`),
    multipart(`${filePart('document', 'x'.repeat(300_000))}${filePart('other', 'y'.repeat(300_000))}--edge--\r\n`),
    multipart('--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n--edge--\r\n'),
    multipart(filePart('file', 'it ends before its boundary').slice(0, -10)),
  ]
  for (const sent of bad) refused(t, await api.send(url, sent), 400, 'InvalidArg')
  refused(t, await api.post(url, {}), 415, 'InvalidArg')
  const bare = { method: 'POST', headers: { 'content-type': 'application/pdf' }, body: '%PDF' }
  refused(t, await api.send(url, bare), 415, 'InvalidArg')
})

t.test('other parts than `file` are ignored', async (t) => {
  const pdf = onePage('0 0 1 rg 0 0 9 9 re f')
  const text = pdf.toString('latin1')
  const { id, url } = await announced(api, Buffer.from(text, 'utf8'))
  const before = filePart('other', 'x'.repeat(300_000))
  const field = '--edge\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'
  const after = filePart('after', 'y'.repeat(300_000))
  const sent = await api.send(url, multipart(`${before}${field}${filePart('file', text)}${after}--edge--\r\n`))
  t.equal(sent.status, 200, sent.text)
  t.match((await commit(api, id, sent.word('/sha256'))).json(), { document: { state: 'ready' } })
})

t.test('a client that disconnects leaves no data and is not logged as a server error', async (t) => {
  const { url } = await announced(api, anyPdf())
  const stop = new AbortController()
  const begin = Buffer.from(filePart('file', 'it goes no further').slice(0, -2))
  const body = new ReadableStream({ start: (controller) => controller.enqueue(begin) })
  const sending = stream(url, body, stop.signal)
  await eventually(() => workshopOf().length > 0)
  stop.abort()
  await t.rejects(sending)
  await eventually(() => workshopOf().length === 0)
  t.notMatch(server.log(), 'a bug')
})

t.test('a document that does not wait for bytes refuses them', async (t) => {
  const pdf = anyPdf()
  const { id, url } = await announced(api, pdf)
  await api.sendFile(url, pdf)
  t.equal((await api.sendFile(url, pdf)).status, 200, 'bytes can be sent again before the commit')
  await commit(api, id, sha256Of(pdf))
  refused(t, await api.sendFile(url, pdf), 409, 'NotAwaitingUpload')
  refused(t, await api.sendFile(`${documents}/unknown/upload-proxy`, pdf), 404, 'NotFound')
})

t.test('a commit can be repeated, and is refused before there are bytes', async (t) => {
  const pdf = anyPdf()
  const { id, url } = await announced(api, pdf)
  refused(t, await commit(api, id, sha256Of(pdf)), 400, 'UploadMismatch')
  await api.sendFile(url, pdf)
  const first = await commit(api, id, sha256Of(pdf))
  const second = await commit(api, id, sha256Of(pdf))
  t.same(second.json(), first.json())
  refused(t, await commit(api, id, sha256Of(anyPdf())), 400, 'UploadMismatch')
  refused(t, await commit(api, 'unknown', sha256Of(pdf)), 404, 'NotFound')
  refused(t, await commit(api, id, 'no hash'), 400, 'InvalidArg')
})

t.test('concurrent commits create one document with one version, counted once', async (t) => {
  const pdf = anyPdf()
  const { id, url } = await announced(api, pdf)
  await api.sendFile(url, pdf)
  const counted = await uploads()
  const answers = await Promise.all(Array.from({ length: 8 }, () => commit(api, id, sha256Of(pdf))))
  for (const answer of answers) t.same(answer.json(), answers[0]?.json())
  t.equal((await api.get(`/v1/docs/${id}/versions`)).at('/versions/1'), undefined)
  t.equal(await uploads(), counted + 1)
})

t.test('the same idempotency key returns the same document, pending or ready', async (t) => {
  const pdf = anyPdf()
  const request = requestFor(pdf, { idempotencyKey: 'key 1' })
  const first = await api.post(`${documents}/init`, request)
  const id = first.word('/document/id')
  const again = await api.post(`${documents}/init`, request)
  t.match(again.json(), { tag: 'resumed', document: { id }, upload: first.at('/upload') })
  await api.sendFile(again.word('/upload/url'), pdf)
  await commit(api, id, sha256Of(pdf))
  const after = await api.post(`${documents}/init`, request)
  t.match(after.json(), { tag: 'deduped', document: { id, state: 'ready' } })
  t.equal(after.at('/upload'), undefined)
  refused(t, await api.post(`${documents}/init`, requestFor(anyPdf(), { idempotencyKey: 'key 1' })), 400, 'Conflict')
  refused(t, await api.post(`${documents}/init`, { ...request, docId: anyId() }), 400, 'Conflict')
  const { contentSha256, contentLength } = request
  const bare = { contentSha256, contentLength, idempotencyKey: 'key 1' }
  for (const same of [{ ...request, docId: id }, bare]) {
    t.match((await api.post(`${documents}/init`, same)).json(), { tag: 'deduped', document: { id } }, 'said only once')
  }
  const added = await api.post(`${documents}/init`, { ...request, metadata: { other: 1 } })
  t.match(added.json(), { tag: 'deduped', document: { id, metadata: { other: 1 } } }, 'what was not said can be added')
  t.strictSame((await api.get(`${documents}/${id}`)).at('/document'), added.at('/document'))
  refused(t, await api.post(`${documents}/init`, { ...request, metadata: { other: 2 } }), 400, 'Conflict')
  await api.post('/v1/tenants', { id: 'other' })
  const elsewhere = await api.post('/v1/tenants/other/documents/init', request)
  t.equal(elsewhere.at('/tag'), 'created', 'keys of tenants are independent')
})

t.test('concurrent inits with one key create one document', async (t) => {
  const request = requestFor(anyPdf(), { idempotencyKey: 'at once' })
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`${documents}/init`, request)))
  t.equal(new Set(answers.map((answer) => answer.at('/document/id'))).size, 1)
  t.same(answers.map((answer) => answer.at('/tag')).sort(), ['created', ...Array(5).fill('resumed')])
})

t.test('metadata that an earlier request with the same key omitted is added', async (t) => {
  const pdf = anyPdf()
  const request = requestFor(pdf, { idempotencyKey: 'told late' })
  const first = await api.post(`${documents}/init`, request).then(done)
  t.match((await api.get(`${documents}/${first.word('/document/id')}/download`)).text, 'The document is pending')
  const second = await api.post(`${documents}/init`, { ...request, metadata: { title: 'Late' } })
  t.match(second.json(), { tag: 'resumed', document: { metadata: { title: 'Late' } } })
  t.match((await api.post(`${documents}/init`, request)).json(), {
    tag: 'resumed',
    document: { metadata: { title: 'Late' } },
  })
  refused(t, await api.post(`${documents}/init`, { ...request, metadata: { title: 'Other' } }), 400, 'Conflict')
})

t.test('reuse-existing with an id returns the document of this id if it has the same bytes', async (t) => {
  const pdf = anyPdf()
  for (const docId of ['first-of-two', 'second-of-two']) await uploaded(api, pdf, { docId })
  await uploaded(api, anyPdf(), { docId: 'of-other-bytes' })
  const init = (docId: string) => api.post(`${documents}/init`, requestFor(pdf, { docId, dedupMode: 'reuse-existing' }))
  for (const docId of ['first-of-two', 'second-of-two'])
    t.match((await init(docId)).json(), { tag: 'deduped', document: { id: docId } })
  refused(t, await init('of-other-bytes'), 400, 'Conflict')
  t.match((await init('of-no-document')).json(), { tag: 'deduped', document: { id: /-of-two$/ } })
})

t.test('reuse-existing returns only ready documents of the tenant with the same bytes', async (t) => {
  const pdf = anyPdf()
  const reuse = requestFor(pdf, { dedupMode: 'reuse-existing' })
  const waiting = await api.post(`${documents}/init`, reuse)
  const id = waiting.word('/document/id')
  t.equal(waiting.at('/tag'), 'created')
  t.equal((await api.post(`${documents}/init`, reuse)).at('/tag'), 'created', 'a pending document has no bytes')
  await api.sendFile(waiting.word('/upload/url'), pdf)
  await commit(api, id, sha256Of(pdf))
  t.match((await api.post(`${documents}/init`, reuse)).json(), {
    tag: 'deduped',
    document: { id },
  })
  t.equal((await api.post(`${documents}/init`, { ...reuse, dedupMode: 'always-create' })).at('/tag'), 'created')
  await api.post('/v1/tenants', { id: 'other' })
  t.equal((await api.post('/v1/tenants/other/documents/init', reuse)).at('/tag'), 'created')
  await api.delete(`${documents}/${id}`)
  t.equal((await api.post(`${documents}/init`, reuse)).at('/tag'), 'created', 'a deleted document is not reused')
})

t.test('a client can choose the id of a document, which is unique in the deployment', async (t) => {
  const [pdf, docId] = [anyPdf(), anyId()]
  const { id } = await announced(api, pdf, { docId })
  t.equal(id, docId)
  refused(t, await api.post(`${documents}/init`, requestFor(anyPdf(), { docId })), 400, 'Conflict')
  await api.post('/v1/tenants', { id: 'other' })
  refused(t, await api.post('/v1/tenants/other/documents/init', requestFor(pdf, { docId })), 400, 'Conflict')
  const race = requestFor(pdf, { docId: anyId() })
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(`${documents}/init`, race)))
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
})

t.test('bytes after the deadline are refused; a resume with the key extends the deadline', async (t) => {
  const pdf = anyPdf()
  const request = requestFor(pdf, { uploadTtlSec: 60, idempotencyKey: 'slow' })
  const init = await api.post(`${documents}/init`, request)
  const url = init.word('/upload/url')
  clock.advance(61_000)
  refused(t, await api.sendFile(url, pdf), 409, 'NotAwaitingUpload')
  t.equal((await api.post(`${documents}/init`, request)).at('/tag'), 'resumed')
  t.equal((await api.sendFile(url, pdf)).status, 200)
  t.match((await commit(api, init.word('/document/id'), sha256Of(pdf))).json(), { document: { state: 'ready' } })
})

t.test('reads of a pending document are refused, and its thumbnail reports the state', async (t) => {
  const { id } = await announced(api, anyPdf())
  for (const path of ['head', 'layers/default/manifest', 'versions', 'layers/default/download']) {
    refused(t, await api.get(`/v1/docs/${id}/${path}`), 404, 'NotFound')
  }
  refused(t, await api.get(`${documents}/${id}/download`), 404, 'NotFound')
  const tile = await api.get(`${documents}/${id}/thumbnail`)
  t.same([tile.status, tile.code, tile.at('/error/state')], [404, 'ThumbnailUnavailable', 'pending'])
})

t.test('a document deleted during its upload or ingest stays deleted', async (t) => {
  const pdf = anyPdf()
  const first = await announced(api, pdf)
  let sent = 0
  const body = new ReadableStream({
    async pull(controller) {
      sent += 1
      if (sent === 1) controller.enqueue(Buffer.from(filePart('file', '').slice(0, -2)))
      else if (sent === 2) {
        t.equal((await api.delete(`${documents}/${first.id}`)).status, 204)
        controller.enqueue(pdf)
      } else {
        controller.enqueue(Buffer.from('\r\n--edge--\r\n'))
        controller.close()
      }
    },
  })
  const answer = await stream(first.url, body)
  t.equal(answer.status, 404)
  const second = await announced(api, pdf)
  await api.sendFile(second.url, pdf)
  const [committed, deleted] = await Promise.all([
    commit(api, second.id, sha256Of(pdf)),
    api.delete(`${documents}/${second.id}`),
  ])
  t.equal(deleted.status, 204)
  t.ok([200, 404].includes(committed.status), committed.text)
  for (const { id } of [first, second]) {
    refused(t, await api.get(`${documents}/${id}`), 404, 'NotFound')
    refused(t, await api.get(`/v1/docs/${id}/head`), 404, 'NotFound')
  }
})

t.test('B2: tokens and pins of a deleted document are invalid for a new one with the same id', async (t) => {
  const docId = anyId()
  for (let round = 0; round < 2; round++) {
    const [pdf, other] = [anyPdf(), anyPdf()]
    await uploaded(api, pdf, { docId })
    const token = await server.documentToken(docId, ['*'])
    const layer = `/v1/docs/${docId}/layers/default`
    const pinned = `${layer}/manifest@docVersion=${(await api.get(`${layer}/manifest`)).at('/docVersion')}`
    t.equal((await api.as(token).get(pinned)).status, 200)
    t.equal((await api.delete(`${documents}/${docId}`)).status, 204)
    refused(t, await api.as(token).get(pinned), 401, 'Unauthenticated')
    await uploaded(api, other, { docId })
    refused(t, await api.as(token).get(`${layer}/manifest`), 401, 'Unauthenticated')
    refused(t, await api.get(pinned), 404, 'NotFound')
    const fresh = await server.documentToken(docId, ['*'])
    t.equal((await api.as(fresh).get(`${layer}/manifest`)).status, 200)
    await api.delete(`${documents}/${docId}`)
  }
})

/** Sends a multipart body piece by piece. */
function stream(url: string, body: ReadableStream, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${server.apiToken}`, 'content-type': 'multipart/form-data; boundary=edge' }
  const sent = { method: 'POST', body, headers, duplex: 'half', ...(signal && { signal }) } as const
  return fetch(new URL(url, server.url), sent)
}

const workshopOf = (): readonly string[] => readdirSync(join(server.dataFolder, 'workshop'))

const uploads = async (): Promise<number> =>
  Number((await api.get('/v1/tenants/acme/usage')).at('/metrics/pdf.uploads'))
