// States of uploaded files in records and lists, and their downloads.
import t, { type Test } from 'tap'
import { Document, DocumentList } from '../../../server/schemas/document.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { pixelsOf } from '../../support/pdf/pictures.js'
import { helvetica, onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { Workshop } from '../../support/pdf/workshop.js'
import type { Answer } from '../support/client.js'
import { runServer } from '../support/running-server.js'
import { announced, commit, documents, sha256Of, uploaded } from '../support/uploads.js'

const server = await runServer(t)
const { api } = server
await api.post('/v1/tenants', { id: 'acme' })

const page = onePage('BT /F1 12 Tf 20 100 Td (Hello) Tj ET', { resources: helvetica })
const isDocument = strictly(Document)
const isList = strictly(DocumentList)
const layer = (id: string) => `/v1/docs/${id}/layers/default`

function refused(t: Test, answer: Answer, status: number, code: string): void {
  t.match({ status: answer.status, code: answer.code }, { status, code }, answer.text)
}

const unsupported = rawPdf(
  { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>', 3: '<</Type/Page/Parent 2 0 R>>' },
  { trailer: '/Encrypt<</Filter/Acme.Vault/V 1/R 2>>/ID[<00><00>]' },
)

const bad: Readonly<Record<string, Uint8Array>> = {
  'not-a-pdf': Buffer.from('<html><body>A page about %PDF files</body></html>'),
  truncated: page.subarray(0, 90),
  damaged: Buffer.from(`%PDF-1.7\n${'nothing of use\n'.repeat(20)}%%EOF\n`),
  'no-pages': rawPdf({ 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[]/Count 0>>' }),
}

for (const [reason, bytes] of Object.entries(bad)) {
  t.test(
    `a file that is ${reason} becomes a failed document with this reason, and its bytes are removed`,
    async (t) => {
      const { id, url } = await announced(api, bytes, { idempotencyKey: reason })
      await api.sendFile(url, bytes)
      const committed = await commit(api, id, sha256Of(bytes))
      t.equal(committed.status, 200)
      t.ok(isDocument().Check(committed.at('/document')))
      t.match(committed.at('/document'), {
        state: 'failed',
        failureReason: reason,
        baseSha: null,
        thumbnailState: 'failed',
        thumbnailUrl: null,
      })
      t.same((await commit(api, id, sha256Of(bytes))).json(), committed.json(), 'asked again, the same answer')
      refused(t, await api.sendFile(url, bytes), 409, 'NotAwaitingUpload')
      const layer = `/v1/docs/${id}/layers/default`
      for (const path of [
        `${documents}/${id}/download`,
        `/v1/docs/${id}/head`,
        `/v1/docs/${id}/versions`,
        `${layer}/manifest`,
      ]) {
        const answer = await api.get(path)
        refused(t, answer, 404, 'NotFound')
        t.equal(answer.at('/error/message'), `The document is failed: ${reason}`)
      }
      const changes = [{ opId: 'a', ops: [{ type: 'metadata.update', patch: { title: 'x' } }] }]
      t.match((await api.post(`${layer}/changes`, { changes })).text, `The document is failed: ${reason}`)
      const tile = await api.get(`${documents}/${id}/thumbnail`)
      t.same([tile.code, tile.at('/error/state')], ['ThumbnailUnavailable', 'failed'])
      t.equal((await api.delete(`${documents}/${id}`)).status, 204)
      const again = await api.post(`${documents}/init`, {
        contentLength: page.length,
        contentSha256: sha256Of(page),
        idempotencyKey: reason,
      })
      t.equal(again.at('/tag'), 'created', 'the key can be reused')
    },
  )
}

t.test('a damaged file is repaired once for reads, and the download is the uploaded file', async (t) => {
  const broken = Buffer.from(page.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
  const junk = Buffer.concat([Buffer.from('a mail header\n'), page])
  for (const bytes of [broken, junk]) {
    const committed = await uploaded(api, bytes)
    t.match(committed.at('/document'), { state: 'ready', baseSha: sha256Of(bytes), storageSizeBytes: bytes.length })
    const id = committed.word('/document/id')
    t.match((await api.get(`${layer(id)}/text/pages/obj:3/data`)).at('/text'), 'Hello')
    for (const path of [`${documents}/${id}/download`, `${layer(id)}/download`]) {
      t.ok((await api.get(path)).bytes.equals(bytes), path)
    }
  }
})

t.test('a file with unsupported encryption is stored, and reading it is refused with that reason', async (t) => {
  const committed = await uploaded(api, unsupported)
  t.match(committed.at('/document'), { state: 'ready', thumbnailState: 'locked' })
  const id = committed.word('/document/id')
  t.match((await api.get(`/v1/docs/${id}/head`)).json(), {
    encryption: { state: 'unsupported', requiresPassword: null },
    permissions: { known: false, allAllowed: null, openedAs: null, canUpgradeToOwner: false },
  })
  for (const path of ['manifest', 'layout', 'metadata', 'form', 'text/pages/obj:3/data', 'geometry/pages/obj:3/data']) {
    refused(t, await api.get(`${layer(id)}/${path}`), 422, 'DocOpenFailed')
  }
  t.ok((await api.get(`${documents}/${id}/download`)).bytes.equals(unsupported))
})

t.test('a list is newest first, page by page, of one state or of all', async (t) => {
  await api.post('/v1/tenants', { id: 'lists' })
  const list = '/v1/tenants/lists/documents'
  const ids: string[] = []
  for (let index = 0; index < 5; index++) {
    ids.unshift(await server.upload(page, { tenantId: 'lists' }))
  }
  const request = { contentLength: 5, contentSha256: sha256Of(page) }
  const pending = (await api.post(`${list}/init`, request)).word('/document/id')
  const failed = bad['not-a-pdf'] ?? Buffer.alloc(0)
  const sent = await api.post(`${list}/init`, { contentLength: failed.length, contentSha256: sha256Of(failed) })
  await api.sendFile(sent.word('/upload/url'), failed)
  await api.post(`${list}/${sent.word('/document/id')}/commit`, { sha256: sha256Of(failed) })
  const everything = [sent.word('/document/id'), pending, ...ids]

  t.same(await walk(t, list, ''), everything)
  t.same(await walk(t, list, 'limit=2&'), everything)
  t.same(await walk(t, list, 'limit=2&state=ready&'), ids)
  t.same(await walk(t, list, 'state=pending&'), [pending])
  t.same(await walk(t, list, 'state=failed&'), [everything[0]])
  t.same(await walk(t, list, 'limit=7&'), everything, 'a last page that is full has no next')

  const first = await api.get(`${list}?limit=3`)
  await api.delete(`${list}/${ids[0]}`)
  await server.upload(page, { tenantId: 'lists' })
  const next = await api.get(`${list}?limit=3&cursor=${first.word('/nextCursor')}`)
  t.same(idsIn(next), ids.slice(1, 4), 'pages are not shifted by what comes and goes')
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=', 'cursor=%00', 'state=gone']) {
    refused(t, await api.get(`${list}?${query}`), 400, 'InvalidArg')
  }
  t.same((await api.get('/v1/tenants/acme/documents?state=deleting')).status, 200)
})

t.test('a document of another tenant is not found', async (t) => {
  const id = await server.upload(page, { tenantId: 'lists' })
  for (const path of ['', '/download', '/thumbnail']) {
    refused(t, await api.get(`${documents}/${id}${path}`), 404, 'NotFound')
  }
  refused(t, await api.delete(`${documents}/${id}`), 404, 'NotFound')
  refused(t, await commit(api, id, sha256Of(page)), 404, 'NotFound')
})

t.test('malformed document ids are not found', async (t) => {
  for (const id of ['a.b', 'x'.repeat(3000), '%00', '%2e%2e%2f', 'ü']) {
    t.match(String((await api.get(`/v1/docs/${id}/head`)).status), /400|404/, id.slice(0, 9))
    t.match(String((await api.get(`${documents}/${id}`)).status), /400|404/, id.slice(0, 9))
  }
})

t.test('downloads have ETag and digest headers, and support byte ranges', async (t) => {
  const id = await server.upload(page)
  const sha = sha256Of(page)
  const paths = [`${documents}/${id}/download`, `${layer(id)}/download`, `/v1/docs/${id}/versions/download/${sha}`]
  for (const path of paths) {
    const whole = await api.get(path)
    t.ok(whole.bytes.equals(page), path)
    t.match(Object.fromEntries(whole.headers), {
      'content-type': 'application/pdf',
      'content-length': String(page.length),
      'content-disposition': `attachment; filename="${id}.pdf"`,
      'accept-ranges': 'bytes',
      etag: `"${sha}"`,
    })
    t.equal((await api.get(path, { 'if-none-match': `"other", "${sha}"` })).status, 304)
    await ranges(t, path)
  }
})

async function ranges(t: Test, path: string): Promise<void> {
  const size = page.length
  const cases: readonly (readonly [range: string, first: number, last: number])[] = [
    ['bytes=0-0', 0, 0],
    ['bytes=5-9', 5, 9],
    [`bytes=${size - 3}-`, size - 3, size - 1],
    ['bytes=-4', size - 4, size - 1],
    [`bytes=10-${size * 2}`, 10, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ]
  for (const [range, first, last] of cases) {
    const part = await api.get(path, { range })
    t.equal(part.status, 206, range)
    t.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${size}`)
    t.ok(part.bytes.equals(page.subarray(first, last + 1)), range)
  }
  for (const range of ['bytes=2-1', 'pages=1-2', 'bytes=0-1,3-4', 'bytes=x', 'bytes=-']) {
    t.equal((await api.get(path, { range })).status, 200, `${range} is ignored`)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const refusal = await api.get(path, { range })
    t.equal(refusal.status, 416, range)
    t.equal(refusal.headers.get('content-range'), `bytes */${size}`)
  }
  const etag = `"${sha256Of(page)}"`
  t.equal((await api.get(path, { range: 'bytes=0-4', 'if-range': etag })).status, 206)
  t.equal((await api.get(path, { range: 'bytes=0-4', 'if-range': '"of other bytes"' })).status, 200)
}

t.test('a thumbnail is a small picture of the first page', async (t) => {
  const id = await server.upload(onePage('1 0 0 rg 0 0 300 200 re f'))
  const record = await api.get(`${documents}/${id}`)
  t.equal(record.at('/document/thumbnailState'), 'ready')
  const tile = await api.get(record.word('/document/thumbnailUrl'))
  t.equal(tile.headers.get('content-type'), 'image/webp')
  const { width, rgba } = await pixelsOf(tile.bytes)
  t.equal(width, 320)
  t.ok((rgba[0] ?? 0) > 240 && (rgba[1] ?? 255) < 15, 'red')
  const etag = tile.headers.get('etag') ?? ''
  t.equal((await api.get(record.word('/document/thumbnailUrl'), { 'if-none-match': etag })).status, 304)
})

t.test('a revision is the file as it was saved then', needs('qpdf'), async (t) => {
  const first = page.length
  const update = `6 0 obj\n<</Added true>>\nendobj\nxref\n6 1\n${String(first).padStart(10, '0')} 00000 n \n`
  const place = first + update.indexOf('xref')
  const before = /startxref\n(\d+)/.exec(page.toString('latin1'))?.[1]
  const trailer = `trailer\n<</Size 7/Root 1 0 R/Prev ${before}>>\nstartxref\n${place}\n%%EOF\n`
  const saved = Buffer.concat([page, Buffer.from(update + trailer)])
  const id = await server.upload(saved)
  const versions = await api.get(`/v1/docs/${id}/versions`)
  const sha = sha256Of(saved)
  t.match(versions.json(), {
    head: sha,
    versions: [{ sha256: sha, byteLength: saved.length, number: 1, parentSha256: null, producer: 'upload' }],
  })
  const path = (index: unknown) => `/v1/docs/${id}/versions/revisions/${sha}/${index}`
  const revision = await api.get(path(0))
  t.ok(revision.bytes.equals(page))
  judged('qpdf', ['--check', Workshop.of(t).source(revision.bytes).path])
  t.ok((await api.get(path(1))).bytes.equals(saved))
  t.ok((await api.get(path(0), { range: 'bytes=-5' })).bytes.equals(page.subarray(-5)))
  t.not(revision.headers.get('etag'), (await api.get(path(1))).headers.get('etag'))
  t.match(revision.headers.get('cache-control'), 'immutable')
  refused(t, await api.get(path(2)), 404, 'NotFound')
  for (const index of [-1, 1.5, 'x']) refused(t, await api.get(path(index)), 400, 'InvalidArg')
  refused(t, await api.get(`/v1/docs/${id}/versions/download/${'0'.repeat(64)}`), 404, 'NotFound')
  refused(t, await api.get(`/v1/docs/${id}/versions/download/zz`), 400, 'InvalidArg')
})

/** Returns all ids of a list, read page by page. */
async function walk(t: Test, list: string, query: string): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  for (let cursor = ''; ; ) {
    const answer = await api.get(`${list}?${query}${cursor}`)
    t.ok(isList().Check(answer.json()), answer.text.slice(0, 200))
    ids.push(...idsIn(answer))
    if (answer.at('/nextCursor') === null) return ids
    cursor = `cursor=${answer.word('/nextCursor')}`
  }
}

function idsIn(answer: Answer): readonly unknown[] {
  const ids: unknown[] = []
  for (let index = 0; answer.at(`/documents/${index}`) !== undefined; index++) {
    ids.push(answer.at(`/documents/${index}/id`))
  }
  return ids
}
